import { mostTagsOfAsset, type LeftReason } from '@masthead/contract/assets/bulk/bulk'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { isNewer } from '@masthead/contract/devices/agent/update'
import { mostWaitingChanges } from '@masthead/contract/devices/config'
import { type SimBlock, simActionTo, simCan, type SimState } from '@masthead/contract/assets/sim'
import type { NewStock } from '../sim/find-new-sims.ts'
import { isWanted, type Core } from './core-config.ts'
import type { Wish, WishedLimit } from './wish.ts'

/** An asset as it is when its turn comes; the SIM's columns are null where it has none. */
export type Subject = {
  asset_id: string
  asset_name: string
  serial: string
  tags: string[]
  /** Its switch. */
  is_on: boolean
  runs_core: boolean
  /** Its CORE device, where its configuration is to be changed. */
  core?: Core | null
  /** The version of its agent; null: it has not said. Undefined: it has none. */
  agent?: { version: string | null }
  /** The SIM of stock that is to be in it, where one is, or why it cannot be. */
  new_sim?: NewStock
  /** Why it cannot leave the account, where it is to; null: it can. */
  kept: LeftReason | null
  sim: {
    sim_id: string
    iccid: string
    state: SimState
    activated_at: unknown
    blocks: Pick<SimBlock, 'code' | 'words' | 'rule_id'>[]
    imei: string | null
    imei_lock: ImeiLock | null
    imeis: string[]
    network_group: string
    own_limit: WishedLimit
    /** What its limit allows now, whoever it is of. */
    allows: number | null
    /** What that of the group allows that it is to be in; asked where a limit is raised as well. */
    group_allows: number | null
    /** A session of its is open, where they are to be cut. */
    is_open: boolean
  } | null
}

/** `todo`: what of the wish is not so yet. `before`: the wish that would bring it back. */
export type Verdict = { reason: LeftReason } | { todo: Wish; before: Wish; is_blocked: boolean }

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What a wish would do to an asset: all of it, or nothing for the first reason against it. `limits`: the tags of a member limited to some. */
export function judgeWish(subject: Subject | undefined, wish: Wish, limits: readonly string[]): Verdict {
  if (wish.wrong !== undefined) return { reason: 'bad_row' }
  if (wish.twice) return { reason: 'twice' }
  if (!subject) return { reason: 'gone' }
  if (wish.lasting) return { reason: 'not_undoable' }
  const todo: Wish = {}
  const before: Wish = {}
  if (wish.update_core) return subject.runs_core ? { todo: { update_core: true }, before, is_blocked: false } : { reason: 'no_core' }
  if (wish.release) {
    const { asset_name: name, serial, kept, sim } = subject
    if (kept) return { reason: kept }
    return { todo: { release: wish.release }, before: { was: { name, serial, iccid: sim?.iccid ?? null } }, is_blocked: false }
  }
  if (wish.new_sim !== undefined) {
    if (subject.sim === null) return { reason: 'no_sim' }
    const { new_sim = { stock: null, reason: 'new_sim_unknown' } } = subject
    return new_sim.stock
      ? { todo: { new_sim: wish.new_sim, old_sim: wish.old_sim }, before, is_blocked: false }
      : { reason: new_sim.reason }
  }
  if (wish.reset) {
    if (subject.sim === null) return { reason: 'no_sim' }
    return subject.sim.is_open ? { todo: { reset: true }, before, is_blocked: false } : { reason: 'no_session' }
  }
  if (wish.update_agent) return ofAgent(subject, wish.update_agent)
  const reason =
    ofSettings(subject, wish, todo, before) ??
    ofCore(subject, wish, todo) ??
    ofTags(subject, wish, limits, todo, before) ??
    (Object.keys(todo).length === 0 ? 'already' : null)
  if (reason) return { reason }
  const activates = wish.state === 'active' && (todo.state === 'active' || todo.blocked === false)
  return { todo, before, is_blocked: activates && staysBlocked(subject.sim!.blocks, todo) }
}

/** After what it does to the switch of the SIM's asset, and to what alert rules hold against it. */
const staysBlocked = (blocks: readonly Pick<SimBlock, 'code'>[], { on, blocked }: Wish) =>
  on === false ||
  blocked === true ||
  blocks.some(({ code }) => !((on === true && code === 'asset_off') || (blocked === false && code === 'rule')))

function ofAgent({ agent }: Subject, version: string): Verdict {
  if (!agent) return { reason: 'no_agent' }
  if (!isNewer(version, agent.version)) return { reason: 'already' }
  return { todo: { update_agent: version }, before: {}, is_blocked: false }
}

function ofSettings({ asset_name, is_on, sim }: Subject, wish: Wish, todo: Wish, before: Wish): LeftReason | null {
  const { name, on, state, blocked, limit, raise, imei_lock, imeis, network_group, expect = {} } = wish
  if (expect.name !== undefined && expect.name !== asset_name) return 'changed_since'
  if (name !== undefined && name !== asset_name) {
    todo.name = name
    before.name = asset_name
  }
  if ([on, state, blocked, limit, raise, imei_lock, network_group].every((one) => one === undefined)) return null
  if (!sim) return 'no_sim'
  const held = sim.blocks.find(({ code }) => code === 'rule')
  const isHeld = held !== undefined
  const isChanged =
    (expect.on !== undefined && expect.on !== is_on) ||
    (expect.state !== undefined && expect.state !== sim.state) ||
    (expect.blocked !== undefined && expect.blocked !== isHeld) ||
    (expect.limit !== undefined && !isSame(expect.limit, sim.own_limit)) ||
    (expect.imei_lock !== undefined && expect.imei_lock !== sim.imei_lock) ||
    (expect.network_group !== undefined && expect.network_group !== sim.network_group) ||
    (expect.imeis !== undefined && !isSame(expect.imeis, sim.imeis))
  if (isChanged) return 'changed_since'
  if (on !== undefined && on !== is_on) {
    todo.on = on
    before.on = is_on
  }
  if (state !== undefined && state !== sim.state) {
    const action = simActionTo(state)
    if (!action || !simCan(action, sim)) {
      if (wish.expect) return 'not_undoable'
      return sim.state === 'terminated' || sim.state === 'inventory' ? sim.state : 'wrong_state'
    }
    todo.state = state
    before.state = sim.state
  }
  // A file says how SIMs are to be: one that is active as it says is not activated by it, and a file that is sent each night takes no block off. So it is with
  // deactivating, whoever asks.
  const isAsSaid = todo.state === undefined && (wish.line !== undefined || state === 'inactive')
  if (blocked !== undefined && blocked !== isHeld && !isAsSaid) {
    if (sim.state === 'terminated') return 'terminated'
    Object.assign(todo, { blocked, ...heldBy(wish) })
    Object.assign(before, { blocked: isHeld, ...(held && heldBy({ why: held.words, rule_id: held.rule_id })) })
  }
  if (limit !== undefined && !isSame(limit, sim.own_limit)) {
    todo.limit = limit
    before.limit = sim.own_limit
  }
  if (raise !== undefined) {
    const allows = limit ? limit.bytes : ofGroupThen(sim, wish) ? sim.group_allows : sim.allows
    if (allows === null) return 'no_limit'
    if (allows >= raise) return 'not_higher'
    todo.raise = raise
  }
  if (imei_lock !== undefined) {
    const devices = imeis ?? (imei_lock === 'lock' ? (sim.imei === null ? [] : [sim.imei]) : sim.imeis)
    if (imei_lock !== sim.imei_lock || !isSame(devices, sim.imeis)) {
      Object.assign(todo, { imei_lock, imeis: devices })
      Object.assign(before, { imei_lock: sim.imei_lock, imeis: sim.imeis, left_imeis: devices })
    }
  }
  if (network_group !== undefined && network_group !== sim.network_group) {
    todo.network_group = network_group
    before.network_group = sim.network_group
  }
  return null
}

/** Whether it has the limit of a group that it had not before: of another group, or instead of its own. */
const ofGroupThen = ({ own_limit, network_group }: NonNullable<Subject['sim']>, wish: Wish) =>
  own_limit ? wish.limit === null : wish.network_group !== undefined && wish.network_group !== network_group

/** Which rule it is, where that is known: a wish is kept as JSON, and compared. */
const heldBy = ({ why, rule_id }: { why?: string | undefined; rule_id?: string | undefined }): Pick<Wish, 'why' | 'rule_id'> => ({
  ...(why !== undefined && { why }),
  ...(rule_id !== undefined && { rule_id }),
})

function ofCore({ core }: Subject, { configure_core }: Wish, todo: Wish): LeftReason | null {
  if (!configure_core) return null
  if (!core) return 'no_core'
  if (isWanted(core, configure_core)) return null
  if (core.waiting >= mostWaitingChanges) return 'too_many_changes'
  todo.configure_core = configure_core
  return null
}

function ofTags({ tags }: Subject, wish: Wish, limits: readonly string[], todo: Wish, before: Wish): LeftReason | null {
  const gone = (wish.remove_tags ?? []).filter((id) => tags.includes(id))
  const added = (wish.add_tags ?? []).filter((id) => !tags.includes(id))
  const kept = [...tags.filter((id) => !gone.includes(id)), ...added]
  if (added.length > 0 && kept.length > mostTagsOfAsset) return 'too_many_tags'
  // Whoever is limited to tags keeps one of them on the asset, or they would not see it any more.
  if (gone.length > 0 && limits.length > 0 && !kept.some((id) => limits.includes(id))) return 'last_tag'
  if (gone.length > 0) todo.remove_tags = before.add_tags = gone.toSorted()
  if (added.length > 0) todo.add_tags = before.remove_tags = added.toSorted()
  return null
}
