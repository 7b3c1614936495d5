import { sql, type RawBuilder } from 'kysely'
import type { BulkPreview } from '@masthead/contract/assets/bulk/bulk'
import type { ImeiLock } from '@masthead/contract/assets/device'
import { dayOf } from '@masthead/contract/kernel/time'
import { networkRefusal, type NetworkRules } from '@masthead/contract/network-groups/rules'
import type { Db } from '../../kernel/app.ts'
import { groupOf } from '../../network-groups/index.ts'
import { visibleTo, type Viewer } from '../index.ts'
import type { WishedLimit, Work } from './wish.ts'

type Held = NonNullable<BulkPreview['held']>
type Ids = RawBuilder<{ id: string }>

/** What another network group, a limit or an IMEI lock of their own does at once to the SIMs that get it; undefined: the work gives none. */
export async function countHeld(db: Db, viewer: Viewer, { action, params }: Work, ids: Ids): Promise<Held | undefined> {
  if (action === 'set_limit' && params.limit) return { cut: 0, ...(await byLimit(db, viewer, params.limit, ids)) }
  if (action === 'imei_lock') return { cut: 0, ...(await byLock(db, viewer, params.imei_lock ?? null, ids)) }
  if (action !== 'set_network_group') return undefined
  const { id } = params.network_group!
  return { cut: await cutThere(db, viewer, id, ids), ...(await byGroup(db, viewer, id, ids)) }
}

/** The SIMs in use `s` of the assets that are meant. */
const sims = (viewer: Viewer, ids: Ids) => sql`(${ids}) chosen join asset on asset.id = chosen.id and ${visibleTo(viewer)}
  join sim s on s.account_id = asset.account_id and s.id = asset.sim_id
  left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
  left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id`

const isHeld = sql`s.blocks @> '[{"code":"data_limit"}]'`
const counts = (isReached: RawBuilder<unknown>) => sql`count(*) filter (where ${isReached} and not ${isHeld})::int as blocked,
  count(*) filter (where not ${isReached} and ${isHeld})::int as freed`
const isInOther = sql`s.blocks @> '[{"code":"imei_mismatch"}]'`
const usedOf = (period: RawBuilder<unknown>, { at }: Viewer) =>
  sql`coalesce(limit_used(${period}, ${dayOf(at)}::date, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down), 0)`

/** A raise of this period goes on where the limit counts the same. */
async function byLimit(db: Db, viewer: Viewer, { bytes, period }: NonNullable<WishedLimit>, ids: Ids): Promise<Omit<Held, 'cut'>> {
  const of = sql`${period}::text`
  const allows = sql`limit_allows(${bytes}::bigint, case when own.period = ${of} then own.raised_bytes end, own.raised_period, ${of}, ${dayOf(viewer.at)}::date)`
  const { rows } = await sql<
    Omit<Held, 'cut'>
  >`select ${counts(sql`(${usedOf(of, viewer)} >= ${allows})`)} from ${sims(viewer, ids)}`.execute(db)
  return rows[0]!
}

/** A limit of their own goes on, and a raise was one of the group before. */
async function byGroup(db: Db, viewer: Viewer, id: string, ids: Ids): Promise<Omit<Held, 'cut'>> {
  const isReached = sql`coalesce(l.action = 'block' and ${usedOf(sql`l.period`, viewer)} >= l.bytes, false)`
  const { rows } = await sql<Omit<Held, 'cut'>>`select ${counts(isReached)} from ${sims(viewer, ids)}
      left join usage_limit l on l.account_id = s.account_id and l.group_id = ${id}
    where ${groupOf('s')} <> ${id} and (own.id is null or own.only_raise)`.execute(db)
  return rows[0]!
}

/**
 * Any lock of their own accepts the device that a SIM was seen in last: `lock` takes that very one, and the others take each. Without one, that of its group
 * holds with the devices that the SIM has, as `acceptsDevice` says; it blocks where the device has a session now.
 */
async function byLock(db: Db, viewer: Viewer, lock: ImeiLock | null, ids: Ids): Promise<Omit<Held, 'cut'>> {
  const isRefused =
    lock === null
      ? sql`(s.imei_lock_default = 'lock' and s.imei is not null and cardinality(s.imeis) > 0
          and not exists (select from unnest(s.imeis) one where left(one, 14) = left(s.imei, 14)))`
      : sql`false`
  const isUsed = sql`exists (select from data_session o
    where o.account_id = s.account_id and o.sim_id = s.id and o.ended_at is null and o.imei = s.imei)`
  const { rows } = await sql<Omit<Held, 'cut'>>`select
      count(*) filter (where ${isRefused} and s.imei_lock is not null and ${isUsed} and not ${isInOther})::int as blocked,
      count(*) filter (where not ${isRefused} and ${isInOther})::int as freed from ${sims(viewer, ids)}`.execute(db)
  return rows[0]!
}

/** Those that are in a session where the group does not allow it. */
async function cutThere(db: Db, viewer: Viewer, id: string, ids: Ids): Promise<number> {
  const { rows: attached } = await sql<{
    mccmnc: string | null
    rat: string | null
    sims: number
  }>`select x.mccmnc, x.rat, count(distinct s.id)::int as sims
    from ${sims(viewer, ids)} join data_session x on x.account_id = s.account_id and x.sim_id = s.id and x.ended_at is null and not x.superseded
    where ${groupOf('s')} <> ${id} group by 1, 2`.execute(db)
  const { rows } = await sql<NetworkRules>`select name, countries, networks, rats from network_group
    where account_id = ${viewer.account_id} and id = ${id}`.execute(db)
  const [rules] = rows
  return rules ? attached.reduce((sum, { sims: own, ...on }) => sum + (networkRefusal(rules, on) ? own : 0), 0) : 0
}
