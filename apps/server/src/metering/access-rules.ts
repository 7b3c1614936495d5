import { hasService, simStates } from '@masthead/contract/assets/sim'
import { interimInterval } from './interim-interval.ts'
import type { FoundSim } from './sim-lookup.ts'

const dayInSeconds = 86_400

/** What an Access-Request is answered. `cause` is the label of a counter. */
export type AccessAnswer =
  | { accept: true; cause: 'accepted'; interim_seconds: number; session_seconds: number }
  | { accept: false; cause: 'unknown' | 'stock' | 'state' | 'blocked'; words: string }

/** Whether a SIM may come on the network, and why not, in words that a gateway's operator can use. */
export function answerAccess(sim: FoundSim | null, inStock: boolean): AccessAnswer {
  if (!sim) {
    return inStock
      ? { accept: false, cause: 'stock', words: 'This SIM is in stock and not registered yet' }
      : { accept: false, cause: 'unknown', words: 'No SIM has this number' }
  }
  if (hasService(sim)) {
    const interim_seconds = interimInterval({ limit: sim.limit_bytes, used: sim.used })
    return { accept: true, cause: 'accepted', interim_seconds, session_seconds: dayInSeconds }
  }
  const [block] = sim.blocks
  if (block && hasService({ ...sim, blocks: [] })) return { accept: false, cause: 'blocked', words: `This SIM is blocked: ${block.words}` }
  return { accept: false, cause: 'state', words: `This SIM is ${simStates[sim.state].toLowerCase()}` }
}
