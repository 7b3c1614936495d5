import { acceptsDevice, type DeviceRule } from './device.ts'
import { type BlockCode, inOrder, type SimBlock, type SimState, simStates } from './sim.ts'

/** States in which a SIM has service, unless something is held against it. A ready or standby SIM becomes active with its first session. */
export const servedStates: readonly SimState[] = ['ready', 'active', 'standby']

/** What is decided of an asset, an account, its balance or a data pool. It holds from then on; the blocks in the rows of its SIMs follow within seconds. */
const decisions = ['asset_off', 'account_suspended', 'balance', 'pool_exhausted'] as const

/**
 * What is wanted of a SIM: its own state, the blocks in its row, and what was decided of its asset, its account and its pool, in words (null: nothing).
 * Whoever sees the row alone leaves the decisions out.
 */
export type Intent = { state: SimState; blocks: readonly Pick<SimBlock, 'code' | 'words'>[] } & {
  [Code in (typeof decisions)[number]]?: string | null
}

/** Why a SIM has no service: its own state, in the words of `simStates`, or what is held against it. */
export type Reason = { code: 'state' | BlockCode; words: string }

/** The device that asks, where the network names it: a SIM's rule then decides in place of the block in its row, which follows. */
export type Asking = DeviceRule & { imei: string }

const deviceReason = (imei: string): Reason => ({ code: 'imei_mismatch', words: `Used in a device that is not accepted, IMEI ${imei}` })

/**
 * Whether the network should let a SIM in, and everything that speaks against it: its own state first, then in the order of `blockCodes`. It has
 * service when nothing does.
 */
export function desiredService(sim: Intent, device?: Asking): { service: boolean; reasons: Reason[] } {
  const own: Reason[] = servedStates.includes(sim.state) ? [] : [{ code: 'state', words: simStates[sim.state] }]
  const blocks = device ? sim.blocks.filter(({ code }) => code !== 'imei_mismatch') : sim.blocks
  const held = blocks.map(({ code, words }): Reason => ({ code, words }))
  const asked = device && !acceptsDevice(device, device.imei) ? [deviceReason(device.imei)] : []
  const decided = decisions.flatMap((code): Reason[] =>
    sim[code] && !held.some((reason) => reason.code === code) ? [{ code, words: sim[code] }] : []
  )
  const reasons = [...own, ...inOrder([...held, ...asked, ...decided])]
  return { service: reasons.length === 0, reasons }
}

export const hasService = (sim: Intent): boolean => desiredService(sim).service
