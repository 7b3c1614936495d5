import type { RefusedNow } from '@masthead/contract/assets/past/history-operations'
import { desiredService, hasService } from '@masthead/contract/assets/service'
import { blockCodes, type BlockCode, goesOnWords, type Sim } from '@masthead/contract/assets/sim'
import { lower } from '../sim-words.ts'

/** A reason why a SIM has no service, inside a sentence. Its words may begin with what its code says: that is said once. */
export function askedWords({ code, words }: { code: BlockCode | 'state'; words: string }): string {
  if (code === 'state') return `the SIM is ${lower(words)}`
  return words.startsWith(blockCodes[code]) ? lower(words) : `${lower(blockCodes[code])} (${words})`
}

/** Why a SIM has no service, inside a sentence. `refused` may be from before its session, which was let in. */
export const whyAsked = (sim: Sim, refused: RefusedNow | null | undefined): string[] => [
  ...desiredService(sim).reasons.map(askedWords),
  ...goesOnAsked(sim),
  ...(sim.session?.forbidden ? [`its session is cut (${sim.session.forbidden})`] : []),
  ...(sim.session === null ? refusedWords(refused) : []),
]

/** Of a SIM that should have no session here. */
function goesOnAsked(sim: Sim): string[] {
  const { session } = sim
  const why = session && (session.forbidden !== null || !hasService(sim)) ? goesOnWords(session) : null
  return why ? [`its session goes on, as ${why} (${session!.disconnect!.words})`] : []
}

/** What is held against it is among the reasons already. */
const refusedWords = (refused: RefusedNow | null | undefined): string[] =>
  !refused || refused.by === 'held' ? [] : [refused.words ? `access is refused (${refused.words})` : 'access is refused']
