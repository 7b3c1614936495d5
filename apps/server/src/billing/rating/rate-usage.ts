import { chargeMore, openHours } from '@masthead/contract/billing/rating'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Tx } from '../../kernel/app.ts'
import {
  type Charge,
  type ChargeKey,
  nameOfCharge,
  nameOfRate,
  nameOfScope,
  type Rate,
  ratesOf,
  type Scope,
  type ScopeKey,
  scopesOf,
  writeCharges,
} from './charges.ts'
import { chargedPieces, type ChargedPiece, type TakenFromPool } from './charged-usage.ts'
import type { ChargeSource } from './tables.ts'

/** What a SIM used between two reports of a session, in which network, and what its data pools gave of it. Times are milliseconds since 1970. */
export type UsageToRate = {
  account_id: string
  sim_id: string
  session_id: string
  from: number
  at: number
  bytes: number
  mccmnc: string
  taken: readonly TakenFromPool[]
  /** Of what no pool gave, the first bytes that cost nothing: the SIM may use them before it is active. */
  free_bytes?: number
  /** Bytes that somebody named: where sessions and records are rounded up, these are not. */
  is_exact?: boolean
  /** Of a session that nobody else counts since: what it was charged for last is not read again. */
  session?: { charged: LastCharge | null }
}

/** What a session was charged for until now, at the price that it was last charged at. */
export type LastCharge = { rate: string; month: string; source: ChargeSource; bytes: bigint; charged: bigint }

/** What is free is in no zone, as is what no price list charges. */
type Piece = ChargedPiece & { is_free: boolean }
type Priced = { usage: UsageToRate; piece: Piece; rate: Rate; record: number }

const hourMs = 3_600_000

export const isClosed = (day: string, at: Date): boolean =>
  at.getTime() >= Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7))) + openHours * hourMs

/**
 * Charges usage that no pool gave, in one transaction with what counted it and took it from pools. Of accounts without a tariff nothing is written. The counters
 * of the SIMs are locked by whoever asks.
 */
export async function rateUsage(tx: Tx, usage: readonly UsageToRate[], at: Date): Promise<void> {
  const now = at.getTime()
  const pieces = usage.flatMap((each, record) => {
    const until = Math.min(each.at, now)
    const charged = chargedPieces({ from: Math.min(each.from, until), at: until, bytes: each.bytes }, each.taken)
    return freeFirst(charged, each.free_bytes ?? 0).map((piece) => ({
      usage: each,
      piece,
      record,
    }))
  })
  const asked = pieces.map(({ usage: { account_id, mccmnc }, piece: { day } }) => ({ account_id, mccmnc, day }))
  const rateOf = await ratesOf(tx, asked)
  const priced = pieces.flatMap((each, i): Priced[] => {
    const rate = rateOf(asked[i]!)
    return rate ? [{ ...each, rate: each.piece.is_free ? freeOf(rate) : rate }] : []
  })
  if (priced.length > 0) await charge(tx, priced, at)
}

const freeOf = (rate: Rate): Rate => ({ ...rate, zone_id: '', price_micros: 0, name: nameOfRate({ ...rate, zone_id: '' }) })

/** Pieces cut where what is free ends. */
function freeFirst(pieces: readonly ChargedPiece[], free_bytes: number): Piece[] {
  let left = free_bytes
  return pieces.flatMap((piece) => {
    const free = Math.min(left, piece.bytes)
    left -= free
    if (free === 0) return [{ ...piece, is_free: false }]
    const rest = { ...piece, bytes: piece.bytes - free, is_free: false }
    return [{ ...piece, bytes: free, is_free: true }, ...(rest.bytes > 0 ? [rest] : [])]
  })
}

async function charge(tx: Tx, priced: readonly Priced[], at: Date): Promise<void> {
  const unknown = priced.filter((each) => each.rate.rounding_scope !== 'record' && !lastOf(each))
  const scopes = await scopesOf(tx, unknown.map(scopeOf))
  const charges = new Map<string, Charge>()
  const moved = new Map<string, Scope>()
  const names: string[] = []
  const counted = new Set<string>()
  for (const each of priced) {
    const { usage, piece, rate } = each
    const key = scopeOf(each)
    const name = nameOfScope(key)
    names.push(name)
    const before = moved.get(name) ?? lastOf(each) ?? scopes.get(name) ?? nothing
    const { bytes, charged, added, added_billed } = chargeMore(before, BigInt(piece.bytes), countingOf(each), BigInt(rate.price_micros))
    moved.set(name, { ...key, bytes, charged })
    const of = chargeKeyOf(usage, piece, rate, at)
    // A record has several pieces of a day where a pool gave in between.
    const place = `${nameOfCharge(of)} ${each.record}`
    const records = usage.is_exact || counted.has(place) ? 0 : 1
    counted.add(place)
    add(charges, {
      ...of,
      price_micros: rate.price_micros,
      bytes: BigInt(piece.bytes),
      billed: added_billed,
      micros: added,
      from: piece.from,
      to: piece.at,
      records,
    })
  }
  // What rounds each record is over with the record.
  const kept = new Map([...moved].filter(([, { scope }]) => !scope.startsWith('record:')))
  await writeCharges(tx, kept, charges)
  for (const [i, { usage, rate }] of priced.entries()) {
    if (!usage.session || rate.rounding_scope !== 'session') continue
    const { month, source, bytes, charged } = moved.get(names[i]!)!
    usage.session.charged = { rate: rate.name, month, source, bytes, charged }
  }
}

const nothing = { bytes: 0n, charged: 0n }

/** The scope of a session as it was charged last, where that is the scope of this piece. */
function lastOf({ usage: { session }, piece: { day, source }, rate }: Priced): LastCharge | null {
  const last = session?.charged
  return last && last.rate === rate.name && last.source === source && last.month === monthOf(day) ? last : null
}

function add(charges: Map<string, Charge>, more: Charge): void {
  const name = nameOfCharge(more)
  const before = charges.get(name)
  charges.set(
    name,
    before
      ? {
          ...before,
          bytes: before.bytes + more.bytes,
          billed: before.billed + more.billed,
          micros: before.micros + more.micros,
          from: Math.min(before.from, more.from),
          to: Math.max(before.to, more.to),
          records: before.records + more.records,
        }
      : more
  )
}

const countingOf = ({ usage: { is_exact }, rate }: Priced) =>
  is_exact && (rate.rounding_scope === 'session' || rate.rounding_scope === 'record') ? { ...rate, block_bytes: 1 } : rate

const monthOf = (day: string) => `${day.slice(0, 7)}-01`

function scopeOf({ usage: { account_id, sim_id, session_id }, piece: { day, source }, rate, record }: Priced): ScopeKey {
  const { tariff_id, number, from_day, zone_id } = rate
  const scope = { record: `record:${record}`, session: `session:${session_id}`, day: `day:${day}`, month: 'month' }[rate.rounding_scope]
  return { account_id, sim_id, month: monthOf(day), scope, tariff_id, number, from_day, zone_id, source }
}

function chargeKeyOf({ account_id, sim_id, mccmnc }: UsageToRate, { day, source }: ChargedPiece, rate: Rate, at: Date): ChargeKey {
  const is_late = isClosed(day, at)
  const { tariff_id, number, from_day, zone_id } = rate
  return { account_id, sim_id, day: is_late ? dayOf(at) : day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late }
}
