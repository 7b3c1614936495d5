import { sql, type Selectable } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Database } from '../../kernel/database/database.ts'
import type { Posting } from '../ledger/index.ts'

/** A charge with the asset that has its SIM now, the name of its zone, and the data pool that it goes beyond. */
export type ChargeRow = Omit<Selectable<Database['charge']>, 'is_open' | 'records'> & {
  asset_id: string | null
  zone: string | null
  pool: { id: string; name: string } | null
}

/** The data pool that charge `c` goes beyond. Of the pools that the SIM is or was in and used more of than they have, its own order says which one gave more. */
export const poolBeyond = (c: string) =>
  sql.raw(`case ${c}.source when 'pool_overage' then (select jsonb_build_object('id', p.id, 'name', p.name) from data_pool_stay m
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at <= ${c}.used_to and t.ends_at > ${c}.used_from
      join data_pool_usage u on u.account_id = t.account_id and u.pool_id = t.pool_id and u.starts_at = t.starts_at and u.sim_id = m.sim_id and u.over_bytes > 0
    where m.account_id = ${c}.account_id and m.sim_id = ${c}.sim_id and (p.zone is null or p.zone = zone_of(${c}.mccmnc, (${c}.used_to at time zone 'UTC')::date))
    order by p.overage_policy <> 'payg', p.priority, t.ends_at, p.id limit 1) end`)

/** That of charge `c`, with its SIM `s`. */
export const chargeColumns = sql`c.account_id, c.sim_id, s.asset_id, c.day, c.tariff_id, c.number, c.from_day, c.zone_id, c.source, c.mccmnc,
  c.is_late, c.price_micros, c.bytes, c.billed_bytes, c.charged_micros, c.used_from, c.used_to, c.summed_bytes, c.summed_micros,
  c.settled_bytes, c.settled_micros, c.settlements,
  (select z.name from tariff_zone z where z.tariff_id = c.tariff_id and z.number = c.number and z.id = c.zone_id) as zone, ${poolBeyond('c')} as pool`

/** Charges of so many days may not be in the ledger as a whole: those before are, because days that are over are settled every two hours. */
export const unsettledDays = 8

/** What is due together of a SIM at one price is one line, be it of several days or networks. */
export function postingsOf(due: readonly ChargeRow[]): Posting[] {
  const priced = Map.groupBy(due, (row) =>
    [row.account_id, row.sim_id, row.tariff_id, row.number, row.from_day, row.zone_id, row.source, row.is_late, row.pool?.id].join(' ')
  )
  return [...priced.values()].map(postingOf).filter(({ amount_micros }) => amount_micros !== 0)
}

export function postingOf(rows: readonly ChargeRow[]): Posting {
  const inOrder = rows.toSorted((a, b) => (a.day + a.mccmnc < b.day + b.mccmnc ? -1 : 1))
  const [row, last] = [inOrder[0]!, inOrder.at(-1)!]
  const { account_id, sim_id, asset_id, day, zone_id, zone, pool, source, is_late, price_micros, tariff_id, number } = row
  const amount = rows.reduce((sum, each) => sum + each.charged_micros - each.settled_micros, 0)
  const billed = rows.reduce((sum, each) => sum + each.billed_bytes - each.settled_bytes, 0)
  const used_from = new Date(Math.min(...rows.map((each) => each.used_from.getTime())))
  const used_to = new Date(Math.max(...rows.map((each) => each.used_to.getTime())))
  const what = source === 'payg' ? 'Data' : `Data beyond ${pool ? `data pool ${pool.name}` : 'a pool'}`
  const where = zone === null ? '' : ` in zone ${zone}`
  const words = amount < 0 ? `Given back: ${lower(what)}` : is_late ? `Reported late: ${lower(what)}` : what
  const when = day === last.day ? formatDay(day) : `${formatDay(day)} to ${formatDay(last.day)}`
  return {
    account_id,
    key: `usage:${sim_id}:${day}:${tariff_id}:${number}:${row.from_day}:${zone_id}:${source}:${row.mccmnc}:${is_late}:${row.settlements + 1}`,
    type: amount < 0 || is_late ? 'adjustment' : 'charge',
    sub_type: source === 'payg' ? 'payg_data' : 'overage',
    amount_micros: micros(0 - amount),
    against: 'revenue',
    description: `${words}${where}, ${formatBytes(Math.abs(billed))}, ${when}`,
    actor: 'system',
    source: 'usage',
    effective_at: used_to,
    usage_from: used_from,
    usage_to: used_to,
    quantity: billed,
    unit: 'byte',
    unit_price_micros: price_micros,
    zone: zone_id || null,
    tariff_version: `${tariff_id}:${number}`,
    asset_id,
    sim_id,
    pool_id: pool?.id ?? null,
  }
}

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
