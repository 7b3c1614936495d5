import { sql, type RawBuilder } from 'kysely'
import type { BulkPreview } from '@masthead/contract/assets/bulk/bulk'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { dayOf } from '@masthead/contract/kernel/time'
import { networkRefusal, type NetworkRules } from '@masthead/contract/network-groups/rules'
import type { Db } from '../../kernel/app.ts'
import { countByPlaces, groupOf, simsIn } from '../../network-groups/index.ts'
import { limitNow } from '../../usage/index.ts'
import type { Viewer } from '../index.ts'
import { heldByLock } from '../service/index.ts'
import { chosen } from './outcome.ts'
import type { WishedLimit, Work } from './wish.ts'

type Held = NonNullable<BulkPreview['held']>
type Ids = RawBuilder<{ id: string }>

const nobody: Held = { cut: 0, blocked: 0, freed: 0, wrong_device: 0, device_freed: 0 }

/** What another network group, limit or IMEI lock does at once to the SIMs that get it; undefined: the work gives none. */
export async function countHeld(db: Db, viewer: Viewer, { action, params }: Work, ids: Ids): Promise<Held | undefined> {
  if (action === 'set_limit')
    return { ...nobody, ...(await (params.limit ? byLimit(db, viewer, params.limit, ids) : byNoLimit(db, viewer, ids))) }
  if (action === 'raise_limit') return { ...nobody, ...(await byRaise(db, viewer, params.raise_bytes!, ids)) }
  if (action === 'imei_lock') return { ...nobody, ...(await byLock(db, viewer, params.imei_lock ?? null, ids)) }
  if (action !== 'set_network_group') return undefined
  const { id } = params.network_group!
  return { cut: await cutThere(db, viewer, id, ids), ...(await byGroup(db, viewer, id, ids)) }
}

/** The SIMs in use `s` of the assets that are meant. */
const sims = (viewer: Viewer, ids: Ids) => sql`${chosen(viewer, ids)}
  join sim s on s.account_id = asset.account_id and s.id = asset.sim_id
  left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
  left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id`

const isHeld = sql`s.blocks @> '[{"code":"data_limit"}]'`
const counts = (isReached: RawBuilder<unknown>, isChanged = sql`true`) =>
  sql`count(*) filter (where ${isChanged} and ${isReached} and not ${isHeld})::int as blocked,
  count(*) filter (where ${isChanged} and not ${isReached} and ${isHeld})::int as freed`
const devices = ({ blocked, freed }: ReturnType<typeof heldByLock>, isChanged: RawBuilder<unknown>) =>
  sql`count(*) filter (where ${isChanged} and ${blocked})::int as wrong_device, count(*) filter (where ${isChanged} and ${freed})::int as device_freed`
const usedOf = (period: RawBuilder<unknown>, { at }: Viewer) =>
  sql`coalesce(limit_used(${period}, ${dayOf(at)}::date, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down), 0)`

type ByLimit = Pick<Held, 'blocked' | 'freed'>
type ByDevice = Pick<Held, 'wrong_device' | 'device_freed'>

/** A raise of this period goes on where the limit counts the same. */
async function byLimit(db: Db, viewer: Viewer, { bytes, period }: NonNullable<WishedLimit>, ids: Ids): Promise<ByLimit> {
  const of = sql`${period}::text`
  const allows = sql`limit_allows(${bytes}::bigint, case when own.period = ${of} then own.raised_bytes end, own.raised_period, ${of}, ${dayOf(viewer.at)}::date)`
  const { rows } = await sql<ByLimit>`select ${counts(sql`(${usedOf(of, viewer)} >= ${allows})`)} from ${sims(viewer, ids)}`.execute(db)
  return rows[0]!
}

/** Whether SIMs have reached the limit `l` of a group. */
const isReachedOfGroup = (viewer: Viewer) => sql`coalesce(l.action = 'block' and ${usedOf(sql`l.period`, viewer)} >= l.bytes, false)`

/** The limit of their group holds; what their own was raised to goes with that. */
async function byNoLimit(db: Db, viewer: Viewer, ids: Ids): Promise<ByLimit> {
  const { rows } = await sql<ByLimit>`select ${counts(isReachedOfGroup(viewer), sql`(own.id is not null and not own.only_raise)`)}
    from ${sims(viewer, ids)} left join usage_limit l on l.account_id = s.account_id and l.group_id = ${groupOf('s')}`.execute(db)
  return rows[0]!
}

/** It blocks nobody: who is allowed as much already is left alone. */
async function byRaise(db: Db, viewer: Viewer, bytes: number, ids: Ids): Promise<ByLimit> {
  const { allows, used } = limitNow(viewer.at)
  const { rows } = await sql<ByLimit>`select ${counts(sql`(${used} >= ${bytes})`, isHeld)}
    from ${sims(viewer, ids)} join sim_limit l on l.account_id = s.account_id and l.sim_id = s.id where ${allows} < ${bytes}`.execute(db)
  return rows[0]!
}

/** A limit and a lock of their own go on, and a raise was one of the group before. */
async function byGroup(db: Db, viewer: Viewer, id: string, ids: Ids): Promise<ByLimit & ByDevice> {
  const mode = sql`(case when g.imei_lock then 'lock' else 'off' end)`
  const { rows } = await sql<ByLimit & ByDevice>`select ${counts(isReachedOfGroup(viewer), sql`(own.id is null or own.only_raise)`)},
      ${devices(heldByLock(mode), sql`s.imei_lock is null and s.imei_lock_default <> ${mode}`)}
    from ${sims(viewer, ids)} join network_group g on g.account_id = s.account_id and g.id = ${id}
      left join usage_limit l on l.account_id = s.account_id and l.group_id = g.id
    where ${groupOf('s')} <> ${id}`.execute(db)
  return rows[0]!
}

/**
 * Any lock of their own accepts the device that a SIM was seen in last: `lock` takes that very one, and the others take each. Without one, that of its group
 * holds with the devices that the SIM has.
 */
async function byLock(db: Db, viewer: Viewer, lock: ImeiLock | null, ids: Ids): Promise<ByDevice> {
  const held = heldByLock(lock === null ? sql`s.imei_lock_default` : sql`'off'`)
  const { rows } = await sql<ByDevice>`select ${devices(held, sql`true`)} from ${sims(viewer, ids)}`.execute(db)
  return rows[0]!
}

/** Those that are in a session where the group does not allow it, each once. */
async function cutThere(db: Db, viewer: Viewer, id: string, ids: Ids): Promise<number> {
  const moved = sql`select s.account_id, s.id from ${sims(viewer, ids)} where ${groupOf('s')} <> ${id}`
  const attached = await countByPlaces(db, moved)
  const { rows } = await sql<NetworkRules>`select name, countries, networks, rats from network_group
    where account_id = ${viewer.account_id} and id = ${id}`.execute(db)
  const [rules] = rows
  return rules ? simsIn(attached, (on) => networkRefusal(rules, on) !== null) : 0
}
