import { chargeMore, type RoundingScope } from '@masthead/contract/billing/rating'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql, type RawBuilder } from 'kysely'
import { type Share, usedAt } from '../../datapools/index.ts'
import type { Tx } from '../../kernel/app.ts'
import { type Charge, nameOfCharge, nameOfScope, type Scope, type ScopeKey, scopesOf, writeCharges } from './charges.ts'
import { freeBytes } from './free-tests.ts'
import { isClosed, rateUsage } from './rate-usage.ts'
import type { TakenFromPool } from './charged-usage.ts'
import type { ChargeSource, RateKey } from './tables.ts'

type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string; shares?: readonly Share[] }
/** What pools did with a correction: gave of what was added, or got back of each share of what was subtracted, and how much of that had been paid for. */
export type PoolsMoved = {
  taken: readonly (TakenFromPool & { n: number })[]
  back: readonly { bytes: number; paid_bytes: number }[]
}

/**
 * What was given back of a charge, as JSON holds it; `bytes`, `billed` and `micros` are whole numbers. `scope`: what was priced anew without it; empty where a
 * share of the charge was given back.
 */
export type ChargedBack = Piece & { bytes: string; billed: string; micros: string }

/**
 * Moves the charge with a correction of usage. What is added beyond a free test is charged in its hour, byte by byte where sessions are rounded up; what is subtracted is
 * given back at the prices it was charged at. Of a closed month, either is an adjustment of today. With the totals of the SIM locked. Answers with what was
 * given back.
 */
export async function correctCharges(
  tx: Tx,
  of: DayOfSim & { correction_id: string },
  bytes: number,
  pools: PoolsMoved,
  at: Date
): Promise<ChargedBack[]> {
  const { account_id, sim_id, day, mccmnc, correction_id, shares = [{ mccmnc, bytes }] } = of
  if (bytes > 0) {
    const usage = { account_id, sim_id, session_id: correction_id, is_exact: true }
    const free = await freeBytes(
      tx,
      [of],
      shares.map(({ bytes }) => ({ sim_id, bytes }))
    )
    await rateUsage(
      tx,
      shares.map((share, n) => {
        const used_at = usedAt(share, day, at)
        const { mccmnc, bytes } = share
        return {
          ...usage,
          mccmnc,
          bytes,
          from: used_at,
          at: used_at,
          taken: pools.taken.filter((each) => each.n === n),
          free_bytes: free[n],
        }
      }),
      at
    )
    return []
  }
  const all: ChargedBack[] = []
  for (const [n, share] of shares.entries()) {
    const { bytes: back, paid_bytes } = pools.back[n] ?? { bytes: 0, paid_bytes: 0 }
    const ofShare = { account_id, sim_id, day, mccmnc: share.mccmnc }
    all.push(...(await giveBack(tx, ofShare, 'pool_overage', paid_bytes, at)))
    all.push(...(await giveBack(tx, ofShare, 'payg', 0 - share.bytes - back, at)))
  }
  return all
}

/** Charges again what a correction gave back, at the same prices; of a month that is closed by now, as an adjustment of today. */
export async function chargeAgain(
  tx: Tx,
  of: Pick<DayOfSim, 'account_id' | 'sim_id'>,
  back: readonly ChargedBack[],
  at: Date
): Promise<void> {
  for (const { bytes, billed, micros, ...piece } of back)
    await moveCharge(tx, of, piece, { bytes: BigInt(bytes), billed: BigInt(billed), micros: BigInt(micros) }, at)
}

/** Of a day, what is charged at one price. */
type Piece = RateKey & { day: string; mccmnc: string; price_micros: number; block_bytes: number; kb: number; scope: string }
type Row = Omit<Piece, 'scope'> & {
  is_late: boolean
  bytes: string
  billed_bytes: string
  charged_micros: string
  rounding_scope: RoundingScope
}

/** The last millisecond of a day. */
const endOf = (day: RawBuilder<unknown>) => sql`((${day} + 1)::timestamp at time zone 'UTC' - interval '1 millisecond')`
/** No gateway is silent for longer in a session that it still reports. */
const mostDaysThrough = 40

async function giveBack(
  tx: Tx,
  { account_id, sim_id, day, mccmnc }: DayOfSim,
  source: ChargeSource,
  amount: number,
  at: Date
): Promise<ChargedBack[]> {
  if (amount <= 0) return []
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
      -- What was reported after its month had closed stands under the day that it was reported on.
      and case when c.is_late then c.used_from < (${day}::date + 1)::timestamp at time zone 'UTC' and c.used_to >= ${day}::date::timestamp at time zone 'UTC'
        else c.day in (select day from through) and (c.day = ${day}::date or c.used_to >= ${endOf(sql`c.day`)}) end
    order by c.is_late, c.day desc, c.price_micros desc, c.mccmnc for update of c`.execute(tx)
  let left = BigInt(amount)
  const all: ChargedBack[] = []
  for (const { is_late, bytes, billed_bytes, charged_micros, rounding_scope, ...row } of rows) {
    const has = BigInt(bytes)
    const back = left < has ? left : has
    if (back === 0n) break
    left -= back
    const of = is_late ? day : row.day
    const piece = { ...row, day: of, scope: scopeOf(rounding_scope, of) }
    const share = (amount: string) => 0n - (BigInt(amount) * back) / has
    const moved = await moveCharge(
      tx,
      { account_id, sim_id },
      piece,
      { bytes: 0n - back, billed: share(billed_bytes), micros: share(charged_micros) },
      at
    )
    all.push({ ...piece, scope: moved.scope, bytes: String(back), billed: String(0n - moved.billed), micros: String(0n - moved.micros) })
  }
  return all
}

const scopeOf = (rounding_scope: RoundingScope, day: string) =>
  rounding_scope === 'month' ? 'month' : rounding_scope === 'day' ? `day:${day}` : ''

type Amounts = { bytes: bigint; billed: bigint; micros: bigint }

/**
 * Adds to a charge, or takes from it, and answers with what that came to. Days and months are priced anew. Sessions and records keep their counters, so it is
 * `alone` that moves there.
 */
async function moveCharge(tx: Tx, of: Pick<DayOfSim, 'account_id' | 'sim_id'>, piece: Piece, alone: Amounts, at: Date) {
  const { tariff_id, number, from_day, zone_id, source, day, mccmnc, price_micros } = piece
  const rate = { tariff_id, number, from_day, zone_id, source }
  const scopes = new Map<string, Scope>()
  const moved = { ...alone, scope: '' }
  if (piece.scope !== '') {
    const key: ScopeKey = { ...of, ...rate, month: `${day.slice(0, 7)}-01`, scope: piece.scope }
    const name = nameOfScope(key)
    const scope = (await scopesOf(tx, [key])).get(name)
    if (scope && scope.bytes + alone.bytes >= 0n) {
      const { bytes, charged, added, added_billed } = chargeMore(scope, alone.bytes, piece, BigInt(price_micros))
      scopes.set(name, { ...scope, bytes, charged })
      Object.assign(moved, { scope: piece.scope, billed: added_billed, micros: added })
    }
  }
  const is_late = isClosed(day, at)
  const noon = Date.parse(`${day}T12:00:00Z`)
  const { bytes, billed, micros } = moved
  const charge: Charge = {
    ...of,
    ...rate,
    day: is_late ? dayOf(at) : day,
    mccmnc,
    is_late,
    price_micros,
    bytes,
    billed,
    micros,
    from: noon,
    to: noon,
    records: 0,
  }
  await writeCharges(tx, scopes, new Map([[nameOfCharge(charge), charge]]))
  return moved
}
