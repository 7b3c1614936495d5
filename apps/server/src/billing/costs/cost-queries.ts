import { sql, type RawBuilder } from 'kysely'
import {
  costKinds,
  projectedCost,
  type CostGrouping,
  type CostKind,
  type CostShare,
  type CostSummary,
  type MonthCost,
} from '@masthead/contract/billing/cost'
import type { Currency, Micros } from '@masthead/contract/billing/money'
import { listTransactions } from '@masthead/contract/billing/operations'
import { openHours } from '@masthead/contract/billing/rating'
import { visibleTo } from '../../assets/index.ts'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

const monthsShown = 12
const atMonth = (month: string, shift = 0) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + shift))
const nameOf = (at: Date) => at.toISOString().slice(0, 7)
const firstDay = (month: string, shift = 0) => atMonth(month, shift).toISOString().slice(0, 10)

/** That a SIM is one of those a limited member sees. */
const seen = (viewer: Viewer, sim_id: RawBuilder<unknown>) =>
  viewer.tags.length === 0
    ? sql`true`
    : sql`${sim_id} in (select s.id from asset join sim s on s.account_id = asset.account_id and s.asset_id = asset.id where ${visibleTo(viewer)})`

type Asking = Viewer & Pick<Actor, 'permissions'>

/** The sums of an account are kept by month; those of what a limited member sees are added up from its SIMs. */
export async function getCostSummary(db: Db, viewer: Asking, month = nameOf(viewer.at)): Promise<CostSummary> {
  const { account_id, tags, at } = viewer
  const table = tags.length === 0 ? sql`cost_month c` : sql`cost_sim c`
  const own = tags.length === 0 ? sql`true` : seen(viewer, sql`c.sim_id`)
  const { rows } = await sql<{
    month: string
    kind: CostKind
    micros: number
    bytes: number
  }>`select c.month, c.kind, sum(c.micros)::bigint as micros,
      sum(c.bytes)::bigint as bytes from ${table} where c.account_id = ${account_id} and c.month > ${firstDay(month, -monthsShown)}::date
      and c.month <= ${firstDay(month)}::date and ${own} group by 1, 2`.execute(db)
  rows.push(...(await refunds(viewer, month, monthsShown).execute(db)).rows)
  if (tags.length === 0) rows.push(...(await poolPrices(account_id, month, monthsShown).execute(db)).rows)
  const { rows: found } = await sql<{
    sims: number
    currency: Currency | null
  }>`select (select count(distinct c.sim_id)::int from cost_sim c
      where c.account_id = ${account_id} and c.month = ${firstDay(month)}::date and c.micros > 0 and ${seen(viewer, sql`c.sim_id`)}) as sims,
    (select currency from billing_account where account_id = ${account_id}) as currency`.execute(db)
  const beside = await costsBeside(db, viewer, month, monthsShown)
  const zonesOf = await zoneCosts(db, viewer, month)
  const months = Array.from({ length: monthsShown }, (_, i): MonthCost => {
    const name = nameOf(atMonth(month, i - monthsShown + 1))
    const of = rows.filter((row) => row.month.startsWith(name))
    const kinds = (Object.keys(costKinds) as CostKind[]).flatMap((kind) => {
      const micros = of.find((row) => row.kind === kind)?.micros ?? 0
      return micros === 0 ? [] : [{ kind, micros: micros as Micros }]
    })
    return {
      month: name,
      kinds,
      micros: kinds.reduce((sum, { micros }) => sum + micros, 0) as Micros,
      zones: zonesOf(name),
      ...beside(name),
    }
  })
  const closes_at = new Date(atMonth(month, 1).getTime() + openHours * 3_600_000)
  return {
    currency: found[0]?.currency ?? null,
    month,
    closes_at: closes_at.toISOString(),
    is_closed: closes_at <= at,
    months,
    bytes: rows.filter((row) => row.month.startsWith(month)).reduce((sum, { bytes }) => sum + bytes, 0),
    projected_micros: projectedCost(months.at(-1)!, month, at) as Micros | null,
    sims: found[0]?.sims ?? 0,
  }
}

/** What was paid for data pools in each of so many months until the end of `month` (`2026-11`): in that in which it was posted, as in its invoice. */
export const poolPrices = (account_id: string, month: string, months: number) =>
  sql<{ month: string; kind: CostKind; micros: number; bytes: number }>`
    select date_trunc('month', t.effective_at at time zone 'UTC')::date::text as month, 'data_pool' as kind, 0 as bytes, sum(0 - t.amount_micros)::bigint as micros
    from ledger_transaction t where t.account_id = ${account_id} and t.sub_type = 'data_pool' and t.type = 'charge'
      and t.effective_at >= ${atMonth(month, 1 - months)} and t.effective_at < ${atMonth(month, 1)}
    group by 1`

/** What staff gave back, below zero, in each of so many months until the end of `month`: a month that is closed does not change. */
const refunds = (viewer: Viewer, month: string, months: number) =>
  sql<{ month: string; kind: CostKind; micros: number; bytes: number }>`
    select date_trunc('month', t.effective_at at time zone 'UTC')::date::text as month, 'refund' as kind, 0 as bytes, sum(0 - t.amount_micros)::bigint as micros
    from ledger_transaction t where t.account_id = ${viewer.account_id} and t.corrects is not null and t.type = 'refund'
      and t.effective_at >= ${atMonth(month, 1 - months)} and t.effective_at < ${atMonth(month, 1)} and ${seen(viewer, sql`t.sim_id`)}
      and exists (select from ledger_entry e where e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'revenue')
    group by 1`

/** What was given as credits and not taken back, and the tax on payments, by month: in that in which it was posted. */
async function costsBeside(
  db: Db,
  viewer: Asking,
  month: string,
  months: number
): Promise<(month: string) => Pick<MonthCost, 'granted_micros' | 'tax_micros'>> {
  if (viewer.tags.length > 0 || !actorMay(viewer, listTransactions.access)) return () => ({ granted_micros: null, tax_micros: null })
  const { rows } = await sql<{ month: string; granted: number; tax: number }>`
    select to_char(t.effective_at at time zone 'UTC', 'YYYY-MM') as month, coalesce(sum(0 - e.amount_micros) filter (where e.ledger_account = 'granted'), 0)::bigint as granted,
      coalesce(sum(e.amount_micros) filter (where e.ledger_account = 'tax'), 0)::bigint as tax
    from ledger_transaction t join ledger_entry e on e.account_id = t.account_id and e.transaction_id = t.id
    where t.account_id = ${viewer.account_id} and t.type in ('credit', 'void', 'refund', 'adjustment') and t.source <> 'usage'
      and t.effective_at >= ${atMonth(month, 1 - months)} and t.effective_at < ${atMonth(month, 1)}
      and e.ledger_account in ('granted', 'tax') group by 1`.execute(db)
  const found = new Map(rows.map((row) => [row.month, row]))
  return (name) => ({
    granted_micros: (found.get(name)?.granted ?? 0) as Micros,
    tax_micros: (found.get(name)?.tax ?? 0) as Micros,
  })
}

/** What pay as you go cost by zone. It is kept for the account as a whole. */
async function zoneCosts(db: Db, { account_id, tags }: Viewer, month: string): Promise<(month: string) => MonthCost['zones']> {
  if (tags.length > 0) return () => null
  const { rows } = await sql<{ month: string; zone: string; name: string | null; micros: Micros }>`
    select to_char(c.month, 'YYYY-MM') as month, c.zone_id as zone, ${zoneName} as name, sum(c.micros)::bigint as micros from ${costsOfZones}
    where c.account_id = ${account_id} and c.kind = 'payg' and c.month > ${firstDay(month, -monthsShown)}::date and c.month <= ${firstDay(month)}::date
    group by 1, 2 having sum(c.micros) <> 0 order by 4 desc, 2`.execute(db)
  const found = Map.groupBy(rows, (row) => row.month)
  return (name) => (found.get(name) ?? []).map(({ zone, name: called, micros }) => ({ zone, name: called ?? '', micros }))
}

const costsOfZones = sql`(select c.*, z.name from cost_zone c
  left join tariff_zone z on z.tariff_id = c.tariff_id and z.number = c.number and z.id = c.zone_id) c`
/** What a zone was called last: a version may name it anew. */
const zoneName = sql`(array_agg(c.name order by c.month desc, c.number desc))[1]`

const most = 100
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** What the costs of SIMs `c` are told apart by, with what that is called. */
const groupings: Record<
  Exclude<CostGrouping, 'country' | 'zone'>,
  { key: RawBuilder<unknown>; name: RawBuilder<unknown>; joins: (viewer: Viewer) => RawBuilder<unknown> }
> = {
  asset: {
    key: sql`coalesce(s.asset_id, '')`,
    name: sql`(select name from asset where account_id = k.account_id and id = k.id)`,
    joins: () => sql``,
  },
  group: {
    key: sql`coalesce(s.group_id, 'default')`,
    name: sql`(select name from network_group where account_id = k.account_id and id = k.id)`,
    joins: () => sql``,
  },
  tag: {
    key: sql`coalesce(t.tag_id, '')`,
    name: sql`(select name from tag where account_id = k.account_id and id = k.id)`,
    // A limited member knows of no other tags than theirs.
    joins: ({ tags }) =>
      sql`left join asset_tag t on t.account_id = c.account_id and t.asset_id = s.asset_id and ${tags.length === 0 ? sql`true` : sql`t.tag_id = any(${[...tags]}::text[])`}
        and exists (select from tag where tag.account_id = t.account_id and tag.id = t.tag_id)`,
  },
}

type Row = { id: string; name: string | null; micros: number; before_micros: number; bytes: number }

/** Those that cost most. */
export async function listCostShares(db: Db, viewer: Viewer, by: CostGrouping, month = nameOf(viewer.at)): Promise<CostShare[]> {
  const [now, before] = [firstDay(month), firstDay(month, -1)]
  const ofMonth = (column: string, day: string) => sql`coalesce(sum(${sql.ref(column)}) filter (where c.month = ${day}::date), 0)::bigint`
  const sums = sql`${ofMonth('c.micros', now)} as now_micros, ${ofMonth('c.micros', before)} as before_micros, ${ofMonth('c.bytes', now)} as now_bytes`
  const months = sql`c.account_id = ${viewer.account_id} and c.month in (${now}::date, ${before}::date)`
  if (by === 'country') {
    const rows = await largest(
      db,
      sql`select ''::text as account_id, c.country as id, ${sums} from ${costsByCountry(viewer, now, before)} where ${months} group by 1, 2`,
      sql`null::text`
    )
    return rows.map((row) => asShare({ ...row, name: row.id === '' ? null : (names.of(row.id) ?? row.id) }))
  }
  if (by === 'zone') {
    const parts = sql`select c.account_id, c.zone_id as id, ${zoneName} as name, ${sums} from ${costsByZone(viewer, now, before)} where ${months} group by 1, 2`
    return (await largest(db, parts, sql`k.name`)).map(asShare)
  }
  const { key, name, joins } = groupings[by]
  // Each SIM is one row before it is told apart by what it belongs to: a month has several of it, and a SIM several tags.
  const bySim = sql`select c.account_id, c.sim_id, ${sums} from cost_sim c where ${months} and ${seen(viewer, sql`c.sim_id`)} group by 1, 2`
  const parts = sql`select c.account_id, ${key} as id, sum(c.now_micros)::bigint as now_micros, sum(c.before_micros)::bigint as before_micros,
      sum(c.now_bytes)::bigint as now_bytes from (${bySim}) c
    left join sim s on s.account_id = c.account_id and s.id = c.sim_id ${joins(viewer)} group by 1, 2`
  return (await largest(db, parts, name)).map(asShare)
}

async function largest(db: Db, parts: RawBuilder<unknown>, name: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } =
    await sql<Row>`with parts as (${parts}), k as (select * from parts order by now_micros desc, before_micros desc, id limit ${most})
    select k.id, ${name} as name, k.now_micros as micros, k.before_micros, k.now_bytes as bytes from k order by k.now_micros desc, k.before_micros desc, k.id`.execute(
      db
    )
  return rows
}

/** Sums are kept by country for the whole account; what a limited member sees is looked up charge by charge. */
const costsByCountry = (viewer: Viewer, now: string, before: string) =>
  viewer.tags.length === 0
    ? sql`cost_month c`
    : sql`(select account_id, month, coalesce((select country from network n where n.mccmnc = c.mccmnc), '') as country, micros, bytes
        from ${chargesSeen(viewer, now, before)}) c`

const chargesSeen = (viewer: Viewer, now: string, before: string) =>
  sql`(select account_id, date_trunc('month', day::timestamp)::date as month, mccmnc, tariff_id, number, zone_id, summed_micros as micros, summed_bytes as bytes
    from charge where account_id = ${viewer.account_id} and day >= ${before}::date and day < ${now}::date + interval '1 month' and ${seen(viewer, sql`sim_id`)}) c`

/** The same by zone. Fees are of none. */
const costsByZone = (viewer: Viewer, now: string, before: string) =>
  viewer.tags.length === 0
    ? sql`(select account_id, month, number, zone_id, name, micros, bytes from ${costsOfZones}
        union all select account_id, month, 0, '', null, micros, bytes from cost_month where kind not in ('payg', 'pool_overage')) c`
    : sql`(select account_id, month, c.number, zone_id, z.name, micros, bytes from ${chargesSeen(viewer, now, before)}
        left join tariff_zone z on z.tariff_id = c.tariff_id and z.number = c.number and z.id = c.zone_id) c`

const asShare = ({ id, name, micros, before_micros, bytes }: Row): CostShare => ({
  id,
  name: name ?? '',
  micros: micros as Micros,
  before_micros: before_micros as Micros,
  bytes,
})
