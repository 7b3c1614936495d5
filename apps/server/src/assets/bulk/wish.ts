import type { AlikeAction, BulkAction } from '@masthead/contract/assets/bulk/bulk-action'
import type { ImeiLock } from '@masthead/contract/assets/device'
import type { LimitPeriod, SimState } from '@masthead/contract/assets/sim'
import type { ConfigChange } from '@masthead/contract/devices/config'
import type { Before } from '../sim/swap-sim.ts'
import type { NamedGroup } from '../../network-groups/index.ts'
import type { NamedTag } from '../../tags/index.ts'

export type WishedLimit = { bytes: number; period: LimitPeriod } | null

/** What can be wanted of an asset and its SIM, and be brought back. */
type Settings = {
  name?: string
  /** Whether the asset is switched on. */
  on?: boolean
  state?: SimState
  /** Whether an alert rule blocks the SIM. */
  blocked?: boolean
  limit?: WishedLimit
  /** Null: as its group says. */
  imei_lock?: ImeiLock | null
  /** The accepted devices; with `lock` and without them, the one it was seen in last. */
  imeis?: string[]
  /** The id of its group. */
  network_group?: string
}

/** What is wanted of one asset: what is left out stays as it is. Tags by their ids. */
export type Wish = Settings & {
  raise?: number
  /** Its open sessions are to be cut. */
  reset?: true
  /** Of a block: why, in words, and by which rule. */
  why?: string
  rule_id?: string
  /** Its CORE device is to update. */
  update_core?: true
  /** The configuration of its CORE device is to be changed by this. */
  configure_core?: ConfigChange
  /** Its agent is to be this version. */
  update_agent?: string
  /** The ICCID or serial number of the SIM that is to be in it. */
  new_sim?: string
  /** What becomes of the SIM before. */
  old_sim?: Before | undefined
  /** It is to leave the account: to another one, by the address of its owner, or back to stock. */
  release?: { to: string | null }
  add_tags?: string[]
  remove_tags?: string[]
  /** Of a row of a file: its line, and why it cannot be read. */
  line?: number
  wrong?: string
  /** It names an asset that an earlier row names. */
  twice?: true
  /** Of an undo: what must still be as the change left it. */
  expect?: Settings
  /** Of what an asset was before: the devices that the change had it accept. */
  left_imeis?: string[]
  /** Of an undo: nothing that was done can be taken back. */
  lasting?: true
  /** Of an asset that left: what it was called here, for the rows of the change. */
  was?: { name: string; serial: string; iccid: string | null }
}

/** What the action takes besides tags. */
export type Params = {
  limit?: WishedLimit
  raise_bytes?: number
  imei_lock?: ImeiLock | null
  network_group?: NamedGroup
  agent_version?: string
  to?: string | null
  core_config?: ConfigChange
  /** Of a file: some of its rows change the configuration of a CORE device. */
  configures_core?: true
}

/** What is to be done. */
export type Work = { action: BulkAction; tags: readonly NamedTag[]; params: Params }

/** The state that an action brings SIMs to. */
export const stateOf = {
  activate_sim: 'active',
  deactivate_sim: 'inactive',
  standby_sim: 'standby',
  ready_sim: 'ready',
  terminate_sim: 'terminated',
} as const satisfies Partial<Record<AlikeAction, SimState>>

const isOfState = (action: BulkAction): action is keyof typeof stateOf => action in stateOf

/** What an action that changes all alike wants of each. */
export function wishOf({ action, tags, params }: Work): Wish {
  if (isOfState(action)) return { state: stateOf[action] }
  if (action === 'switch_on' || action === 'switch_off') return { on: action === 'switch_on' }
  if (action === 'reset_sim') return { reset: true }
  if (action === 'update_core') return { update_core: true }
  if (action === 'configure_core') return { configure_core: params.core_config! }
  if (action === 'update_agent') return { update_agent: params.agent_version! }
  if (action === 'release') return { release: { to: params.to ?? null } }
  const ids = tags.map((tag) => tag.tag_id)
  if (action === 'add_tags') return { add_tags: ids }
  if (action === 'remove_tags') return { remove_tags: ids }
  if (action === 'set_limit') return { limit: params.limit ?? null }
  if (action === 'raise_limit') return { raise: params.raise_bytes! }
  if (action === 'imei_lock') return { imei_lock: params.imei_lock ?? null }
  if (action === 'set_network_group') return { network_group: params.network_group!.id }
  throw new Error(`Each asset of a change by ${action} has a wish of its own`)
}

/** What a person wants who activates or deactivates SIMs: what alert rules hold against them goes, too. Taking a change back, they want what was before. */
export const freeing = (wish: Wish): Wish =>
  (wish.state === 'active' || wish.state === 'inactive') && wish.expect === undefined ? { ...wish, blocked: false } : wish

/** The wish that takes another one back; `before` is what the asset was. */
export function undoing({ on, state, blocked, limit, imei_lock, imeis, network_group, name }: Wish, before: Wish | null): Wish {
  if (!before || Object.keys(before).length === 0) return { lasting: true }
  const { left_imeis = imeis, ...was } = before
  const expect: Settings = {
    ...(before.on !== undefined && on !== undefined && { on }),
    ...(before.state !== undefined && state !== undefined && { state }),
    ...(before.blocked !== undefined && blocked !== undefined && { blocked }),
    ...(before.limit !== undefined && limit !== undefined && { limit }),
    ...(before.imei_lock !== undefined && imei_lock !== undefined && { imei_lock }),
    // Locked before it was seen in any device, it is locked by now to the first that it was seen in.
    ...(before.imei_lock !== undefined &&
      left_imeis !== undefined &&
      !(imei_lock === 'lock' && left_imeis.length === 0) && { imeis: left_imeis }),
    ...(before.network_group !== undefined && network_group !== undefined && { network_group }),
    ...(before.name !== undefined && name !== undefined && { name }),
  }
  return { ...was, expect }
}
