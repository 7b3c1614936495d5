import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { countryOf } from '@masthead/contract/networks/countries'
import type { GroupFields, GroupPreview } from '@masthead/contract/network-groups/network-group'
import { networkRefusal, type NetworkRules, type OnNetwork } from '@masthead/contract/network-groups/rules'
import { heldByLock } from '../assets/service/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { countGroupByPlaces, getGroup, inGroup, needGroups, needWhole, simsIn } from './group-queries.ts'

/** What saving a group, or deleting it (`deletes`: the fields are of where its SIMs go), would do to its SIMs now. */
export async function previewGroup(
  db: Db,
  actor: Actor,
  id: string,
  { deletes = false, ...fields }: GroupFields & { deletes?: boolean | undefined }
): Promise<GroupPreview> {
  needWhole(actor)
  await needGroups(db, actor)
  const before = await getGroup(db, actor, id)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<typeof before>
  const after = { ...before, ...given }
  const attached = await countGroupByPlaces(db, actor, id)
  const isRefused = (on: OnNetwork) => networkRefusal(after, on) !== null
  const isStranded = (on: OnNetwork) => isRefused(on) && on.mccmnc !== null && !hasOperator(after, on.mccmnc)
  const stranded = attached.flatMap(({ places }) => places.filter(isStranded))
  const countries = new Set(stranded.flatMap(({ mccmnc }) => countryOf(mccmnc!) ?? []))
  return {
    sims: before.sims,
    attached: simsIn(attached, () => true),
    cut: simsIn(attached, isRefused),
    stranded: simsIn(attached, isStranded),
    stranded_countries: [...countries].toSorted(),
    ...(await beyondLimit(db, actor, { ...after, deletes })),
    ...(await byLock(db, actor, after)),
  }
}

/** Whether the country of a network has any operator that is allowed. */
function hasOperator({ countries, networks }: Pick<NetworkRules, 'countries' | 'networks'>, mccmnc: string): boolean {
  const country = countryOf(mccmnc)
  if (countries === null || country === null) return countries === null
  return countries.includes(country) || networks.some((network) => countryOf(network) === country)
}

type After = { id: string; limit_bytes: number | null; limit_period: 'day' | 'month'; on_limit: 'block' | 'alert'; deletes: boolean }

/**
 * SIMs that the new limit blocks, as they have used as much, and those that it frees. A SIM's own limit wins over it, and what one was raised to in this period
 * goes on where the limit counts the same and the group stays.
 */
async function beyondLimit(db: Db, { account_id, at }: Actor, { id, limit_bytes, limit_period, on_limit, deletes }: After) {
  const today = sql`${dayOf(at)}::date`
  const period = sql`${limit_period}::text`
  const used = sql`coalesce(limit_used(${period}, ${today}, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down), 0)`
  const raised = deletes ? sql`null::bigint` : sql`case when own.period = ${period} then own.raised_bytes end`
  const allows = sql`limit_allows(${limit_bytes}::bigint, ${raised}, own.raised_period, ${period}, ${today})`
  const reaches = limit_bytes === null || on_limit === 'alert' ? sql`false` : sql`${used} >= ${allows}`
  const held = sql`s.blocks @> '[{"code":"data_limit"}]'`
  const { rows } = await sql<{ blocked: number; freed: number }>`select
      count(*) filter (where ${reaches} and not ${held})::int as blocked, count(*) filter (where not ${reaches} and ${held})::int as freed
    from sim s left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
      left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id
    where s.account_id = ${account_id} and ${inGroup(id)} and (own.id is null or own.only_raise)`.execute(db)
  return rows[0]!
}

/** SIMs without a lock of their own that the one of the group blocks, in the device where they are used now, or frees. */
async function byLock(db: Db, { account_id }: Actor, { id, imei_lock }: { id: string; imei_lock: boolean }) {
  const mode = sql`${imei_lock ? 'lock' : 'off'}::text`
  const { blocked, freed } = heldByLock(mode)
  const { rows } = await sql<{ wrong_device: number; device_freed: number }>`select
      count(*) filter (where ${blocked})::int as wrong_device, count(*) filter (where ${freed})::int as device_freed
    from sim s where s.account_id = ${account_id} and ${inGroup(id)} and s.imei_lock is null and s.imei_lock_default <> ${mode}`.execute(db)
  return rows[0]!
}
