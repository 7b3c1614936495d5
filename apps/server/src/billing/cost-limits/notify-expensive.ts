import { expensiveDataUsed } from '@masthead/contract/billing/cost-limits/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { sql, type RawBuilder } from 'kysely'
import { recordSims } from '../../assets/service/index.ts'
import type { Tx } from '../../kernel/app.ts'

/** What a SIM is charged in a zone. */
type Charged = {
  account_id: string
  sim_id: string
  day: string
  tariff_id: string
  number: number
  zone_id: string
  price_micros: number
}
type Expensive = {
  account_id: string
  sim_id: string
  iccid: string
  asset_id: string
  asset_name: string
  zone: string
  price_micros: number
  most_price_micros: number
  kb: number
  currency: Currency
}

/**
 * Notifies accounts of SIMs that use data above the price that they allow: once for a SIM and a zone in a month. `charges` are seen for the first time: nothing of
 * them is in the sums of the month yet.
 */
export const notifyExpensive = (tx: Tx, charges: readonly Charged[], at: Date): Promise<void> =>
  notify(
    tx,
    charges,
    at,
    // What comes before somebody has looked at a new limit is found then.
    sql`r.price_followed = r.price_since and not exists (select from charge c where c.account_id = k.account_id and c.sim_id = k.sim_id and c.zone_id = k.zone_id
      and c.summed_bytes > 0 and c.day >= greatest(date_trunc('month', k.day::timestamp)::date, (r.price_since at time zone 'UTC')::date))`
  )

/** Notifies accounts with a new limit of the SIMs that have used data above it that day. Nothing is settled meanwhile. */
export async function notifyOfNewLimits(tx: Tx, at: Date): Promise<void> {
  const { rows: limits } = await sql<object>`update balance_rule set price_followed = price_since
    where price_since is distinct from price_followed returning account_id, price_since, most_price_micros`.execute(tx)
  if (limits.length === 0) return
  const { rows } = await sql<Charged>`select c.account_id, c.sim_id, c.day, c.tariff_id, c.number, c.zone_id, c.price_micros
    from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as l (account_id text, price_since timestamptz, most_price_micros bigint)
      join charge c on c.account_id = l.account_id and c.day >= (l.price_since at time zone 'UTC')::date
    where c.price_micros > l.most_price_micros and c.summed_bytes > 0 and not c.is_late`.execute(tx)
  await notify(tx, rows, at, sql`true`)
}

/** `which`: a condition of charges `k` and rules `r`. */
async function notify(tx: Tx, charges: readonly Charged[], at: Date, which: RawBuilder<unknown>): Promise<void> {
  if (charges.length === 0) return
  const { rows } =
    await sql<Expensive>`select distinct on (k.account_id, k.sim_id, k.zone_id) k.account_id, k.sim_id, s.iccid, s.asset_id, a.name as asset_name,
      z.name as zone, k.price_micros, r.most_price_micros, v.kb, b.currency
    from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as k (account_id text, sim_id text, day date, tariff_id text, number integer, zone_id text, price_micros bigint)
      join balance_rule r on r.account_id = k.account_id and r.most_price_micros < k.price_micros
      join billing_account b on b.account_id = k.account_id join tariff_version v on v.tariff_id = k.tariff_id and v.number = k.number
      join tariff_zone z on z.tariff_id = k.tariff_id and z.number = k.number and z.id = k.zone_id
      join sim s on s.account_id = k.account_id and s.id = k.sim_id join asset a on a.account_id = s.account_id and a.id = s.asset_id
    where ${which}
    order by k.account_id, k.sim_id, k.zone_id, k.price_micros desc`.execute(tx)
  const details = rows.map(({ price_micros, most_price_micros, kb, currency, ...sim }) => ({
    ...sim,
    megabyte: kb === 1024 ? ('MiB' as const) : ('MB' as const),
    price: formatMoney(micros(price_micros), currency),
    limit: formatMoney(micros(most_price_micros), currency),
  }))
  await recordSims(tx, at, expensiveDataUsed, details)
}
