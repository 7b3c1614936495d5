import type { Rehearsed } from '@masthead/contract/assets/past/rehearse'
import { monthLimitOf, mostLimit } from '@masthead/contract/assets/month-limit'
import type { LimitPeriod, Sim } from '@masthead/contract/assets/sim'
import { forecastOf } from '@masthead/contract/datapools/forecast'
import type { DataPool } from '@masthead/contract/datapools/pool'
import type { NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { shortDay } from '../sim-words.ts'

const dayMs = 86_400_000
const day = (at: number) => shortDay(new Date(at).toISOString())

/** A limit that is tried. */
export type Tried = { value: string; label: string; bytes: number | null; period: LimitPeriod }

/** Round figures above what it has, no limit, and the limits of groups. */
export function triedLimits(
  sim: Pick<Sim, 'usage' | 'network_group'>,
  groups: readonly Pick<NetworkGroup, 'id' | 'name' | 'limit_bytes' | 'limit_period'>[]
): Tried[] {
  const { usage, network_group } = sim
  const base = monthLimitOf(usage) ?? Math.max(roundUp(usage.period_bytes), 100_000_000)
  const steps = [...new Set([2, 1, 1.25, 1.5, 4].map((times) => Math.min(mostLimit, base * times)))]
  return [
    ...steps.map((bytes): Tried => ({
      value: String(bytes),
      label: `${formatBytes(bytes)} a month${bytes === monthLimitOf(usage) ? ' (as it is)' : ''}`,
      bytes,
      period: 'month',
    })),
    { value: 'no', label: 'No limit', bytes: null, period: 'month' },
    ...groups
      .filter(({ id }) => id !== network_group.id)
      .map(({ id, name, limit_bytes, limit_period }): Tried => ({
        value: id,
        label: `Group ${name}: ${limit_bytes === null ? 'no limit' : `${formatBytes(limit_bytes)} a ${limit_period}`}`,
        bytes: limit_bytes,
        period: limit_period,
      })),
  ]
}

/** The next of 1, 2, 5, 10, … that is not below. */
function roundUp(bytes: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, bytes)))
  return [1, 2, 5, 10].map((times) => times * ten).find((round) => round >= bytes)!
}

/** What a limit would do: the point first, then what it rests on. */
export function rehearsedWords({ reached, next_period, at_end_bytes, pace_bytes, days }: Rehearsed, tried: Tried, now: number): string[] {
  const name = tried.bytes === null ? 'no limit' : formatBytes(tried.bytes)
  const pace = `At the pace of ${days === 1 ? 'its last whole day' : `its last ${days} whole days`} it uses ${formatBytes(pace_bytes)} a day.`
  if (tried.period === 'day') {
    const over = tried.bytes !== null && pace_bytes >= tried.bytes
    return [
      over
        ? `With ${name} a day it would be reached on a usual day.`
        : `With ${tried.bytes === null ? name : `${name} a day`} it would last on a usual day.`,
      pace,
    ]
  }
  const end = `This month ends at about ${formatBytes(at_end_bytes)}.`
  if (!reached) return [`With ${name} it would last${tried.bytes === null ? '' : ' this month and the next'}.`, `${end} ${pace}`]
  if (reached.expected <= now) return [`With ${name} it would have no service now: more is used already.`, pace]
  const [early, late] = [day(reached.earliest ?? reached.expected), reached.latest === null ? null : day(reached.latest)]
  const range = early === late ? '' : late === null ? ` ${early} at the earliest.` : ` Between ${early} and ${late}.`
  const counts = next_period ? `${end} On ${day(firstOfNext(now))} it counts from 0.` : ''
  return [`With ${name} it would last until ${day(reached.expected)}.${range}`, [counts, pace].filter(Boolean).join(' ')]
}

function firstOfNext(now: number): number {
  const at = new Date(now)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
}

/** What a pool would come to with this SIM in it. */
export function poolWith(
  pool: Pick<DataPool, 'name' | 'term_start' | 'term_end' | 'size_bytes' | 'used_bytes' | 'days' | 'forecast'>,
  pace: number,
  now: number
): string {
  const today = new Date(now).toISOString().slice(0, 10)
  const whole = pool.days.filter((each) => each.day < today).map(({ bytes }) => bytes)
  const { size_bytes, used_bytes } = pool
  const term = { starts_at: Date.parse(pool.term_start), ends_at: Date.parse(pool.term_end), size_bytes, used_bytes }
  const added = forecastOf({ ...term, days: (whole.length === 0 ? [0] : whole).map((bytes) => bytes + pace) }, now)
  const before = pool.forecast?.runs_out
  if (used_bytes >= size_bytes) return `Data pool ${pool.name} is used up already.`
  if (!added?.runs_out) return `Data pool ${pool.name} would last until its term ends on ${day(term.ends_at)}, with this SIM in it.`
  const hours = before ? Math.round((Date.parse(before.expected) - Date.parse(added.runs_out.expected)) / 3_600_000) : null
  const runsOut = `Data pool ${pool.name} would run out on ${day(Date.parse(added.runs_out.expected))}`
  if (hours === null) return `${runsOut} with this SIM in it. Without it, it lasts until its term ends on ${day(term.ends_at)}.`
  if (hours <= 0) return `${runsOut}, as it would without this SIM.`
  return `${runsOut}, ${hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`} sooner than without it.`
}

/** What is used of each month by day, from the first of this month to the end of the next: known until now, then at a pace, from 0 again each month. */
export function courseOf({
  points,
  used,
  pace,
  limit,
  now,
}: {
  points: readonly { at: string; bytes_up: number; bytes_down: number }[]
  used: number
  pace: number
  limit: number | null
  now: number
}) {
  const at = new Date(now)
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  const next = firstOfNext(now)
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, 1)
  const known = new Map(points.map((point) => [Date.parse(point.at), point.bytes_up + point.bytes_down]))
  const times: number[] = []
  const values: number[] = []
  let sum = 0
  let forecastFrom = 0
  for (let time = first; time < end; time += dayMs) {
    if (time === next) sum = 0
    if (time + dayMs <= now) sum += known.get(time) ?? 0
    else {
      if (time <= now) [sum, forecastFrom] = [used, times.length]
      sum += pace * Math.min(1, (time + dayMs - Math.max(now, time)) / dayMs)
    }
    times.push(time / 1000)
    values.push(limit === null ? sum : Math.min(sum, Math.max(limit, used)))
  }
  return { times, values, forecastFrom }
}
