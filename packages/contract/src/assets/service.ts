import { type BlockCode, type SimBlock, type SimState, simStates } from './sim.ts'

/** States in which a SIM has service, unless something is held against it. A ready or standby SIM becomes active with its first session. */
export const servedStates: readonly SimState[] = ['ready', 'active', 'standby']

/** What is decided of an asset, an account or a data pool. It holds from then on; the blocks in the rows of its SIMs follow within seconds. */
const decisions = ['asset_off', 'account_suspended', 'pool_exhausted'] as const

/**
 * What is wanted of a SIM: its own state, the blocks in its row, and what was decided of its asset, its account and its pool, in words (null: nothing).
 * Whoever sees the row alone leaves the decisions out.
 */
export type Intent = { state: SimState; blocks: readonly Pick<SimBlock, 'code' | 'words'>[] } & {
  [Code in (typeof decisions)[number]]?: string | null
}

/** Why a SIM has no service: its own state, in the words of `simStates`, or what is held against it. */
export type Reason = { code: 'state' | BlockCode; words: string }

/** Whether the network should let a SIM in, and everything that speaks against it, its own state first. It has service when nothing does. */
export function desiredService(sim: Intent): { service: boolean; reasons: Reason[] } {
  const own: Reason[] = servedStates.includes(sim.state) ? [] : [{ code: 'state', words: simStates[sim.state] }]
  const held = sim.blocks.map(({ code, words }): Reason => ({ code, words }))
  const decided = decisions.flatMap((code): Reason[] =>
    sim[code] && !held.some((reason) => reason.code === code) ? [{ code, words: sim[code] }] : []
  )
  const reasons = [...own, ...held, ...decided]
  return { service: reasons.length === 0, reasons }
}

export const hasService = (sim: Intent): boolean => desiredService(sim).service
