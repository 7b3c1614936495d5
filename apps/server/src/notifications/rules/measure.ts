import { sql, type RawBuilder } from 'kysely'
import { Problem } from '@masthead/contract/kernel/problem'
import { firesForAssets, ofWholeDays, sumsAssets, tellsPools } from '@masthead/contract/notifications/rule'
import { countInView, knowTags, matching } from '../../assets/index.ts'
import { systemActor, type Db } from '../../kernel/app.ts'
import { assetsMeasures } from './assets-measures.ts'
import { deviceMeasures, isOfDevices } from './device-measures.ts'
import { measures, type Days, type Measured } from './measures.ts'

/** A SIM, a device of an asset, a data pool, or (without any) the account, on a day on which the rule's measure is reached. */
export type Reached = {
  sim_id: string | null
  asset_id: string | null
  asset_name: string | null
  pool_id: string | null
  pool_name: string | null
  day: string
  value: number
}

/** So long a rule is measured, at most; then it is said to be too wide. */
const longest = '8s'
export const boundTime = sql`select set_config('statement_timeout', ${longest}, true)`

const dayMs = 86_400_000

/** Without those of a SIM, a device, a pool or the account that come within the cool-down of an earlier one, in the order of days. */
export function keepCool(reached: readonly Reached[], cooldown_days: number): Reached[] {
  const lastOf = new Map<string | null, number>()
  return reached.filter(({ sim_id, asset_id, pool_id, day }) => {
    const of = sim_id ?? asset_id ?? pool_id
    const [now, last] = [Date.parse(day), lastOf.get(of)]
    if (last !== undefined && now - last < cooldown_days * dayMs) return false
    lastOf.set(of, now)
    return true
  })
}

/** Why a rule could not be measured, in words. */
export function failureWords(error: unknown): string | null {
  if (error instanceof Problem) return error.detail
  return (error as { code?: string }).code === '57014' ? 'It takes too long to be looked at. Name fewer assets' : null
}

const noPool = sql`null as pool_id, null as pool_name`

/** The days on which a rule's measure was reached by assets in its scope, in the order of days, `most` of them. `unless`: a condition over a row `m` that leaves it out. */
export async function listReached(
  db: Db,
  account_id: string,
  rule: Measured,
  { days, at, most, unless = sql`false` }: { days: Days; at: Date; most: number; unless?: RawBuilder<unknown> }
): Promise<Reached[]> {
  if (rule.metric === 'view_count') return viewReached(db, account_id, rule, { days, at, unless })
  const to = ofWholeDays(rule.metric) ? lastWholeDay(at) : days.to
  if (to < days.from) return []
  const asked = { ...rule, from: days.from, to, account_id, at }
  const viewer = systemActor(account_id, at)
  const filter = await knowTags(db, viewer, rule.scope === '' ? {} : { q: rule.scope })
  const ofDevices = isOfDevices(rule.metric)
  const rows = isOfDevices(rule.metric)
    ? deviceMeasures[rule.metric](asked)
    : sumsAssets(rule.metric)
      ? assetsMeasures[rule.metric](asked, inUse(account_id, matching(viewer, filter)))
      : measures[rule.metric](asked)
  if (!firesForAssets(rule.metric)) {
    const pool = tellsPools(rule.metric) ? sql`m.pool_id, m.pool_name` : noPool
    const { rows: reached } =
      await sql<Reached>`select null as sim_id, null as asset_id, null as asset_name, ${pool}, m.day::text as day, m.value::float8 as value
      from (${rows}) m where not ${unless} order by m.day limit ${most}`.execute(db)
    return reached
  }
  const { rows: reached } =
    await sql<Reached>`select m.sim_id, asset.id as asset_id, asset.name as asset_name, ${noPool}, m.day::text as day, m.value::float8 as value
    from ${
      ofDevices
        ? sql`(select null::text as sim_id, r.* from (${rows}) r) m join asset on asset.account_id = ${account_id} and asset.id = m.asset_id`
        : sql`(${rows}) m join sim own on own.account_id = ${account_id} and own.id = m.sim_id
            join asset on asset.account_id = own.account_id and asset.id = own.asset_id and asset.sim_id = own.id`
    }
    where ${matching(viewer, filter)} and not ${unless} order by m.day, asset.id limit ${most}`.execute(db)
  return reached
}

/** Usage of the last minutes of a day comes after its end. */
const lastWholeDay = (at: Date) => new Date(at.getTime() - dayMs - 3_600_000).toISOString().slice(0, 10)

/** Over rows `u`: their SIM is in use in an asset that matches. */
const inUse = (account_id: string, matches: ReturnType<typeof matching>) => sql`u.sim_id = any(array(select own.id from sim own
  join asset on asset.account_id = own.account_id and asset.id = own.asset_id and asset.sim_id = own.id where own.account_id = ${account_id} and ${matches}))`

/** Of the day that runs alone: what was in a view before is not known. A condition over a row `m`, as above, leaves it out. */
async function viewReached(
  db: Db,
  account_id: string,
  { threshold, view_id }: Measured,
  { days, at, unless }: { days: Days; at: Date; unless: RawBuilder<unknown> }
): Promise<Reached[]> {
  const value = await countInView(db, systemActor(account_id, at), view_id!)
  if (value < threshold) return []
  const { rows } =
    await sql<Reached>`select null as sim_id, null as asset_id, null as asset_name, ${noPool}, m.day::text as day, ${value}::float8 as value
    from (select null::text as sim_id, ${days.to}::date as day) m where not ${unless}`.execute(db)
  return rows
}
