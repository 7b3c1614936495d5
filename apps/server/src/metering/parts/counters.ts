import type { Counted } from '../batch-changes.ts'
import { dayOf, monthOf } from '../reading.ts'
import { Columns, columnsOf } from './columns.ts'
import { fragment } from './fragment.ts'
import { limits } from './limits.ts'
import { type Part, composed } from './part.ts'
import { unservedCounted } from './service.ts'

type SimCount = {
  account_id: string
  sim_id: string
  /** Its row exists. */
  known: boolean
  /** The latest day with usage, its month, and what was used on that day and in that month. */
  day: string
  dayUp: number
  dayDown: number
  period: string
  up: number
  down: number
  lifetimeUp: number
  lifetimeDown: number
  seen_at: number
}
const of = columnsOf<SimCount>()
const columns = {
  account_id: of.text((count) => count.account_id),
  sim_id: of.text((count) => count.sim_id),
  period_start: of.text((count) => count.period, 'date'),
  bytes_up: of.number((count) => count.up),
  bytes_down: of.number((count) => count.down),
  lifetime_up: of.number((count) => count.lifetimeUp),
  lifetime_down: of.number((count) => count.lifetimeDown),
  seen_at: of.time((count) => count.seen_at),
  day: of.text((count) => count.day, 'date'),
  day_up: of.number((count) => count.dayUp),
  day_down: of.number((count) => count.dayDown),
}
const [known, begun] = [new Columns('count', columns), new Columns('begun', columns)]

/** A counter whose day or month is older than the usage starts anew; usage of an earlier one is in the lifetime only. */
const add = (n: string) => {
  const sum = (column: string, start: string) =>
    `${column} = case when ${n}.${start} = c.${start} then c.${column} + ${n}.${column} when ${n}.${start} > c.${start} then ${n}.${column} else c.${column} end`
  return `${sum('bytes_up', 'period_start')}, ${sum('bytes_down', 'period_start')}, period_start = greatest(c.period_start, ${n}.period_start),
  ${sum('day_up', 'day')}, ${sum('day_down', 'day')}, day = greatest(c.day, ${n}.day), lifetime_up = c.lifetime_up + ${n}.lifetime_up,
  lifetime_down = c.lifetime_down + ${n}.lifetime_down, seen_at = greatest(c.seen_at, ${n}.seen_at)`
}
const answer = 'c.account_id, c.sim_id, c.period_start, c.bytes_up, c.bytes_down, c.day, c.day_up, c.day_down'

const beginCounters = composed('begin_counters', [
  {
    with: {
      counted: fragment`insert into sim_counter as c (${begun.names}) select ${begun.names} from ${begun.rows} as n
        on conflict (account_id, sim_id) do update set ${add('excluded')} returning ${answer}`,
    },
  },
  limits.share,
  unservedCounted,
])

/** What each SIM used today, this month and ever. Counters that are there are updated; where one may not be, it is begun. */
export const counters: Part = {
  share: {
    with: {
      counted: fragment`update sim_counter c set ${add('n')} from ${known.rows} as n
        where c.account_id = n.account_id and c.sim_id = n.sim_id returning ${answer}`,
    },
    answers: [fragment`select 'stale', null, null where (select count(*) from counted) <> ${known.size}`],
  },
  gather: ({ counted, today }) => {
    const counts = countsOf(counted)
    const values = { today, ...known.values(counts.filter((count) => count.known)) }
    const unknown = counts.filter((count) => !count.known)
    if (unknown.length === 0) return { values }
    return { values, before: [{ statement: beginCounters, values: { today, ...begun.values(unknown) } }] }
  },
}

/** By SIM, in one order everywhere, so that two meters never wait for each other in a circle. With no bytes, a SIM was at least heard of. */
function countsOf(counted: readonly Counted[]): SimCount[] {
  const counts = new Map<string, SimCount>()
  for (const { live, reading, up, down } of counted) {
    const { account_id, sim_id, counted: isKnown } = live
    const { event_at, received_at } = reading
    const [day, period] = [dayOf(event_at), monthOf(event_at)]
    const key = account_id + sim_id
    const count = counts.get(key)
    if (!count) {
      const lifetime = { lifetimeUp: up, lifetimeDown: down }
      const ofDay = { day, dayUp: up, dayDown: down }
      counts.set(key, { account_id, sim_id, known: isKnown, ...ofDay, period, up, down, ...lifetime, seen_at: received_at })
      continue
    }
    count.known ||= isKnown
    count.lifetimeUp += up
    count.lifetimeDown += down
    count.seen_at = Math.max(count.seen_at, received_at)
    if (day >= count.day) {
      const begins = day > count.day
      count.day = day
      count.dayUp = (begins ? 0 : count.dayUp) + up
      count.dayDown = (begins ? 0 : count.dayDown) + down
    }
    if (period < count.period) continue
    const anew = period > count.period
    count.period = period
    count.up = (anew ? 0 : count.up) + up
    count.down = (anew ? 0 : count.down) + down
  }
  return [...counts.keys()].sort().map((key) => counts.get(key)!)
}
