import { sql } from 'kysely'
import { micros, type Currency } from '@masthead/contract/billing/money'
import { packageCost, type PackageCosts, type UsedOf } from '@masthead/contract/billing/package-cost'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Actor, Db } from '../../kernel/app.ts'
import { poolPrices } from './cost-queries.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'>

const dayMs = 86_400_000

/**
 * What the data of a month, the last whole one where none is given, would have cost on each package that can be bought, in place of the data pools of then. It is of the whole
 * account: who is limited by tags is shown none.
 */
export async function getPackageCosts(db: Db, { account_id, tags, at }: Viewer, asked?: string): Promise<PackageCosts> {
  const month = asked ?? dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)).slice(0, 7)
  const [first, next] = [0, 1].map((shift) => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + shift)) as [number, number]
  const billing = await db.selectFrom('billing_account').select('currency').where('account_id', '=', account_id).executeTakeFirst()
  const currency = (billing?.currency ?? null) as Currency | null
  if (currency === null || tags.length > 0) return { month, currency, bytes: 0, charged_micros: micros(0), items: [] }
  // Zones and prices as they were at its end.
  const day = dayOf(Math.min(next - dayMs, at.getTime()))
  const own = sql`account_id = ${account_id} and month = ${dayOf(first)}::date`
  const { rows: used } = await sql<
    UsedOf & { mccmnc: string }
  >`select u.mccmnc, zone_of(u.mccmnc, ${day}::date) as zone, u.bytes, coalesce(r.price_micros, 0) as price_micros, coalesce(r.kb, 1000) as kb
    from (select mccmnc, (sum(bytes_up) + sum(bytes_down))::bigint as bytes from usage_month where ${own} group by 1) u
      left join lateral rates_of(array[${account_id}::text], array[u.mccmnc], array[${day}::date]) r on true`.execute(db)
  // SIMs by the networks that they were in, which are few: read in the order of the key, so that 100,000 SIMs need no sort.
  const { rows: counts } = await sql<{ networks: string[]; sims: number }>`select networks, count(*)::int as sims from
    (select array_agg(mccmnc) as networks from usage_month where ${own} and bytes_up + bytes_down > 0 group by account_id, month, sim_id) s group by 1`.execute(
    db
  )
  const zoneOf = new Map(used.map(({ mccmnc, zone }) => [mccmnc, zone]))
  const simsIn = (zone: string | null) =>
    counts.reduce(
      (sum, { networks, sims }) => sum + (zone === null || networks.some((network) => zoneOf.get(network) === zone) ? sims : 0),
      0
    )
  const { rows: charged } = await sql<{ micros: number }>`select coalesce(sum(micros), 0)::bigint as micros from (
      select micros from cost_month where ${own} and kind in ('payg', 'pool_overage')
      union all select micros from (${poolPrices(account_id, month, 1)}) pools) costs`.execute(db)
  const packages = await db
    .selectFrom('data_package')
    .selectAll()
    .where('retired_at', 'is', null)
    .where('price_micros', '>', 0)
    .where('currency', '=', currency)
    .execute()
  const items = packages.flatMap(({ id: package_id, name, kind, zone, max_sims, validity_count, validity_unit, ...offered }) => {
    const sims = simsIn(zone)
    // It could not have been of all of them.
    if (max_sims !== null && sims > max_sims) return []
    const validity = { count: validity_count, unit: validity_unit }
    const cost = packageCost({ ...offered, kind, zone, validity }, { used, sims, days: (next - first) / dayMs })
    return [{ package_id, name, kind, zone, sims, ...cost }]
  })
  return {
    month,
    currency,
    bytes: used.reduce((sum, { bytes }) => sum + bytes, 0),
    charged_micros: micros(charged[0]!.micros),
    items: items.toSorted((a, b) => a.would_micros - b.would_micros),
  }
}
