import { sql, type Selectable } from 'kysely'
import { micros } from '@masthead/contract/billing/money'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Database } from '../../kernel/database/database.ts'
import type { Posting } from '../ledger/index.ts'

/** A charge with the asset that has its SIM now, and the name of its zone. */
export type ChargeRow = Omit<Selectable<Database['charge']>, 'is_open'> & { asset_id: string | null; zone: string | null }

/** That of charge `c`, with its SIM `s`. */
export const chargeColumns =
  sql.raw(`c.account_id, c.sim_id, s.asset_id, c.day, c.tariff_id, c.number, c.from_day, c.zone_id, c.source, c.mccmnc,
  c.is_late, c.price_micros, c.bytes, c.billed_bytes, c.charged_micros, c.used_from, c.used_to, c.summed_bytes, c.summed_micros,
  c.settled_bytes, c.settled_micros, c.settlements,
  (select z.name from tariff_zone z where z.tariff_id = c.tariff_id and z.number = c.number and z.id = c.zone_id) as zone`)

/** Charges of so many days may not be in the ledger as a whole: those before are, because days that are over are settled every two hours. */
export const unsettledDays = 8

/** What is due together of a SIM at one price is one line, be it of several days or networks. */
export function postingsOf(due: readonly ChargeRow[]): Posting[] {
  const priced = Map.groupBy(due, (row) =>
    [row.account_id, row.sim_id, row.tariff_id, row.number, row.from_day, row.zone_id, row.source, row.is_late].join(' ')
  )
  return [...priced.values()].map(postingOf).filter(({ amount_micros }) => amount_micros !== 0)
}

export function postingOf(rows: readonly ChargeRow[]): Posting {
  const inOrder = rows.toSorted((a, b) => (a.day + a.mccmnc < b.day + b.mccmnc ? -1 : 1))
  const [row, last] = [inOrder[0]!, inOrder.at(-1)!]
  const { account_id, sim_id, asset_id, day, zone_id, zone, source, is_late, price_micros, tariff_id, number } = row
  const amount = rows.reduce((sum, each) => sum + each.charged_micros - each.settled_micros, 0)
  const billed = rows.reduce((sum, each) => sum + each.billed_bytes - each.settled_bytes, 0)
  const used_from = new Date(Math.min(...rows.map((each) => each.used_from.getTime())))
  const used_to = new Date(Math.max(...rows.map((each) => each.used_to.getTime())))
  const what = source === 'payg' ? 'Data' : 'Data beyond a pool'
  const where = zone === null ? '' : ` in zone ${zone}`
  const words = amount < 0 ? `Given back: ${what.toLowerCase()}` : is_late ? `Reported late: ${what.toLowerCase()}` : what
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
  }
}
