import { midnightsIn, splitAt, type ChargedInterval } from '@masthead/contract/billing/rating'
import { dayOf } from '@masthead/contract/kernel/time'
import type { ChargeSource } from './tables.ts'

/** What one term of a pool gave of usage, until `at`. `over`: bytes beyond its size; they are paid for where the pool goes on by pay as you go. */
export type TakenFromPool = { from: number; at: number; bytes: number; over: number; is_paid: boolean }

/** Bytes of one day, in UTC, that are charged. */
export type ChargedPiece = ChargedInterval & { day: string; source: ChargeSource }

/**
 * What of usage is charged, by days: what no pool gave, and what pools gave beyond their size by pay as you go. Pools are cut by time where a term begins or
 * ends, so what they did not give is spread over the rest of the time; what goes beyond a pool comes last in its time.
 */
export function chargedPieces(usage: ChargedInterval, taken: readonly TakenFromPool[]): ChargedPiece[] {
  const left = usage.bytes - taken.reduce((sum, { bytes }) => sum + bytes, 0)
  const pieces = left > 0 ? uncovered(usage, left, taken).flatMap((interval) => byDay(interval, 'payg')) : []
  for (const [from, at] of periodsOf(taken)) {
    const ofPeriod = taken.filter((each) => each.from === from && each.at === at)
    const paid = ofPeriod.reduce((sum, { over, is_paid }) => sum + (is_paid ? over : 0), 0)
    if (paid === 0) continue
    const all = ofPeriod.reduce((sum, { bytes }) => sum + bytes, 0)
    pieces.push(...byDay({ from: from + Math.floor(((at - from) * (all - paid)) / all), at, bytes: paid }, 'pool_overage'))
  }
  return pieces
}

const periodsOf = (taken: readonly TakenFromPool[]) =>
  [...new Map(taken.map(({ from, at }) => [`${from} ${at}`, [from, at] as const])).values()].sort((a, b) => a[0] - b[0])

/** The bytes that no pool gave, over the time in which none ran. */
function uncovered({ from, at }: ChargedInterval, bytes: number, taken: readonly TakenFromPool[]): ChargedInterval[] {
  const gaps: { from: number; at: number }[] = []
  let until = from
  for (const [start, end] of periodsOf(taken)) {
    if (start > until) gaps.push({ from: until, at: start - 1 })
    until = Math.max(until, end + 1)
  }
  if (until <= at) gaps.push({ from: until, at })
  if (gaps.length === 0) return [{ from: at, at, bytes }]
  const length = gaps.reduce((sum, gap) => sum + (gap.at - gap.from) + 1, 0)
  let [done, passed] = [0, 0]
  return gaps.map((gap) => {
    passed += gap.at - gap.from + 1
    const to = Number((BigInt(bytes) * BigInt(passed)) / BigInt(length))
    const piece = { ...gap, bytes: to - done }
    done = to
    return piece
  })
}

const byDay = (interval: ChargedInterval, source: ChargeSource): ChargedPiece[] =>
  splitAt(interval, midnightsIn(interval)).map((piece) => ({ ...piece, day: dayOf(piece.at), source }))
