import { expensiveDataUsed } from '@masthead/contract/billing/cost-limits/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { sql } from 'kysely'
import { recordSims } from '../../assets/service/index.ts'
import type { Tx } from '../../kernel/app.ts'

/** What a SIM is charged in a zone, seen for the first time; nothing of it is in the sums of the month yet. */
type NewCharge = {
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

/** Notifies accounts of SIMs that use data above the price that they allow: once for a SIM and a zone in a month. */
export async function notifyExpensive(tx: Tx, charges: readonly NewCharge[], at: Date): Promise<void> {
  if (charges.length === 0) return
  const { rows } =
    await sql<Expensive>`select distinct on (k.account_id, k.sim_id, k.zone_id) k.account_id, k.sim_id, s.iccid, s.asset_id, a.name as asset_name,
      k.zone_id as zone, k.price_micros, r.most_price_micros, v.kb, b.currency
    from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as k (account_id text, sim_id text, day date, tariff_id text, number integer, zone_id text, price_micros bigint)
      join balance_rule r on r.account_id = k.account_id and r.most_price_micros < k.price_micros
      join billing_account b on b.account_id = k.account_id join tariff_version v on v.tariff_id = k.tariff_id and v.number = k.number
      join sim s on s.account_id = k.account_id and s.id = k.sim_id join asset a on a.account_id = s.account_id and a.id = s.asset_id
    where not exists (select from charge c where c.account_id = k.account_id and c.sim_id = k.sim_id and c.zone_id = k.zone_id and c.summed_bytes > 0
      -- What was used before the limit was set was notified of by nobody.
      and c.day >= greatest(date_trunc('month', k.day::timestamp)::date, (r.price_since at time zone 'UTC')::date + 1))
    order by k.account_id, k.sim_id, k.zone_id, k.price_micros desc`.execute(tx)
  const details = rows.map(({ price_micros, most_price_micros, kb, currency, ...sim }) => ({
    ...sim,
    megabyte: kb === 1024 ? ('MiB' as const) : ('MB' as const),
    price: formatMoney(micros(price_micros), currency),
    limit: formatMoney(micros(most_price_micros), currency),
  }))
  await recordSims(tx, at, expensiveDataUsed, details)
}
