import { chargeMore, type RoundingScope } from '@masthead/contract/billing/rating'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../kernel/app.ts'
import { type Charge, nameOfScope, type ScopeKey, scopesOf, writeCharges } from './charges.ts'
import { isClosed, rateUsage } from './rate-usage.ts'
import type { TakenFromPool } from './charged-usage.ts'
import type { ChargeSource, RateKey } from './tables.ts'

type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string; shares?: { mccmnc: string; bytes: number }[] }
/** What pools did with a correction: gave of what was added, or got back of each share of what was subtracted, and how much of that had been paid for. */
export type PoolsMoved = {
  taken: readonly (TakenFromPool & { n: number })[]
  back: readonly { bytes: number; paid_bytes: number }[]
}

/**
 * Moves the charge with a correction of usage. What is added is charged at noon of its day, byte by byte where sessions are rounded up; what is subtracted is
 * given back at the prices it was charged at. Of a closed month, either is an adjustment of today. With the totals of the SIM locked.
 */
export async function correctCharges(tx: Tx, of: DayOfSim & { correction_id: string }, bytes: number, pools: PoolsMoved, at: Date) {
  const { account_id, sim_id, day, mccmnc, correction_id, shares = [{ mccmnc, bytes }] } = of
  if (bytes > 0) {
    const noon = Math.min(Date.parse(`${day}T12:00:00Z`), at.getTime())
    const usage = { account_id, sim_id, session_id: correction_id, from: noon, at: noon, is_exact: true }
    return rateUsage(
      tx,
      shares.map((share, n) => ({ ...usage, ...share, taken: pools.taken.filter((each) => each.n === n) })),
      at
    )
  }
  for (const [n, share] of shares.entries()) {
    const { bytes: back, paid_bytes } = pools.back[n] ?? { bytes: 0, paid_bytes: 0 }
    const ofShare = { account_id, sim_id, day, mccmnc: share.mccmnc }
    await giveBack(tx, ofShare, 'pool_overage', paid_bytes, at)
    await giveBack(tx, ofShare, 'payg', 0 - share.bytes - back, at)
  }
}

type Row = RateKey & {
  day: string
  is_late: boolean
  mccmnc: string
  price_micros: number
  bytes: string
  billed_bytes: string
  charged_micros: string
  block_bytes: number
  kb: number
  rounding_scope: RoundingScope
}

/** The last millisecond of a day. */
const endOf = (day: RawBuilder<unknown>) => sql`((${day} + 1)::timestamp at time zone 'UTC' - interval '1 millisecond')`
/** No gateway is silent for longer in a session that it still reports. */
const mostDaysThrough = 40

async function giveBack(tx: Tx, { account_id, sim_id, day, mccmnc }: DayOfSim, source: ChargeSource, amount: number, at: Date) {
  if (amount <= 0) return
  const { rows } = await sql<Row>`with recursive through (day) as (
      -- What was reported on this day and used through midnights is counted on this day, and charged by the time of its use on all of them.
      select ${day}::date
      union all
      select before.day from through cross join lateral (select through.day - 1 as day) before
        -- On the day itself nothing is charged where its only report was made at midnight.
        where (through.day = ${day}::date or exists (select from charge d where d.account_id = ${account_id} and d.sim_id = ${sim_id}
            and d.source = ${source} and d.day = through.day and not d.is_late))
          and exists (select from charge d where d.account_id = ${account_id} and d.sim_id = ${sim_id} and d.source = ${source} and d.day = before.day
            and not d.is_late and d.used_to >= ${endOf(sql`before.day`)})
          and before.day > ${day}::date - ${mostDaysThrough}::int
    ) select c.day, c.is_late, c.tariff_id, c.number, c.from_day, c.zone_id, c.source, c.mccmnc, c.price_micros, c.bytes::text, c.billed_bytes::text,
      c.charged_micros::text, v.block_bytes, v.kb, v.rounding_scope
    from charge c join tariff_version v on v.tariff_id = c.tariff_id and v.number = c.number
    where c.account_id = ${account_id} and c.sim_id = ${sim_id} and c.source = ${source} and c.bytes > 0
      and (${mccmnc} = '' or c.mccmnc = ${mccmnc})
      -- What was told after its month had closed stands under the day that it was told on.
      and case when c.is_late then c.used_from < (${day}::date + 1)::timestamp at time zone 'UTC' and c.used_to >= ${day}::date::timestamp at time zone 'UTC'
        else c.day in (select day from through) and (c.day = ${day}::date or c.used_to >= ${endOf(sql`c.day`)}) end
    order by c.is_late, c.day desc, c.price_micros desc, c.mccmnc for update of c`.execute(tx)
  let left = BigInt(amount)
  for (const row of rows) {
    const has = BigInt(row.bytes)
    const back = left < has ? left : has
    if (back === 0n) return
    left -= back
    const of = row.is_late ? day : row.day
    const is_late = isClosed(of, at)
    const noon = Date.parse(`${of}T12:00:00Z`)
    const { tariff_id, number, from_day, zone_id, price_micros } = row
    const rate = { tariff_id, number, from_day, zone_id, source }
    const moved = await priceBack(tx, { ...rate, account_id, sim_id, month: `${of.slice(0, 7)}-01`, scope: scopeOf(row, of) }, row, back)
    const charge: Charge = {
      ...rate,
      account_id,
      sim_id,
      day: is_late ? dayOf(at) : of,
      mccmnc: row.mccmnc,
      is_late,
      price_micros,
      bytes: 0n - back,
      billed: moved.billed,
      micros: moved.micros,
      from: noon,
      to: noon,
    }
    await writeCharges(tx, moved.scopes, [charge])
  }
}

const scopeOf = ({ rounding_scope }: Row, day: string) =>
  rounding_scope === 'month' ? 'month' : rounding_scope === 'day' ? `day:${day}` : ''

/** Days and months are priced anew without it. Sessions and records keep their counters, so it is the share that it has of what they cost on that day. */
async function priceBack(tx: Tx, key: ScopeKey, row: Row, back: bigint) {
  const scope = key.scope === '' ? undefined : (await scopesOf(tx, [key])).get(nameOfScope(key))
  if (scope && scope.bytes >= back) {
    const { bytes, charged, added, added_billed } = chargeMore(scope, 0n - back, row, BigInt(row.price_micros))
    return { scopes: [{ ...scope, bytes, charged }], micros: added, billed: added_billed }
  }
  const share = (of: string) => 0n - (BigInt(of) * back) / BigInt(row.bytes)
  return { scopes: [], micros: share(row.charged_micros), billed: share(row.billed_bytes) }
}
