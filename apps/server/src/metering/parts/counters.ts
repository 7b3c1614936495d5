import type { Counted } from '../batch-changes.ts'
import { dayOf } from '../reading.ts'
import { Columns, columnsOf } from './columns.ts'
import { fragment, named } from './fragment.ts'
import type { Part } from './part.ts'

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
const ofSim = { account_id: of.text((count) => count.account_id), sim_id: of.text((count) => count.sim_id) }
const begun = new Columns('begun', ofSim)
const counts = new Columns('count', {
  ...ofSim,
  period_start: of.text((count) => count.period, 'date'),
  bytes_up: of.number((count) => count.up),
  bytes_down: of.number((count) => count.down),
  lifetime_up: of.number((count) => count.lifetimeUp),
  lifetime_down: of.number((count) => count.lifetimeDown),
  seen_at: of.time((count) => count.seen_at),
  day: of.text((count) => count.day, 'date'),
  day_up: of.number((count) => count.dayUp),
  day_down: of.number((count) => count.dayDown),
})

/**
 * Counters at nothing, where there are none. It locks none that are there, as an upsert would: they are locked in one order, with those that were
 * known. In two lots, another batch that has the SIMs the other way round would wait for this one in a circle.
 */
const beginCounters = named(
  'begin_counters',
  fragment`insert into sim_counter (${begun.names}, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
    select ${begun.names}, 'epoch', 0, 0, 0, 0, 'epoch' from ${begun.rows} as n on conflict do nothing`
)

/** A counter whose day or month is older than the usage starts anew; usage of an earlier one is in the lifetime only. */
const sum = (column: string, start: string) =>
  `${column} = case when n.${start} = c.${start} then c.${column} + n.${column} when n.${start} > c.${start} then n.${column} else c.${column} end`
const added = `${sum('bytes_up', 'period_start')}, ${sum('bytes_down', 'period_start')}, period_start = greatest(c.period_start, n.period_start),
  ${sum('day_up', 'day')}, ${sum('day_down', 'day')}, day = greatest(c.day, n.day), lifetime_up = c.lifetime_up + n.lifetime_up,
  lifetime_down = c.lifetime_down + n.lifetime_down, seen_at = greatest(c.seen_at, n.seen_at)`

/** What each SIM used today, this month and ever. Where a counter may not be there, it is begun. */
export const counters: Part = {
  share: {
    with: {
      counted: fragment`update sim_counter c set ${added} from ${counts.rows} as n where c.account_id = n.account_id and c.sim_id = n.sim_id
        returning c.account_id, c.sim_id, c.period_start, c.bytes_up, c.bytes_down, c.day, c.day_up, c.day_down`,
    },
    answers: [fragment`select 'stale', null, null where (select count(*) from counted) <> ${counts.size}`],
  },
  gather: ({ counted, today }) => {
    const all = countsOf(counted, today)
    const values = { today, ...counts.values(all) }
    const unknown = all.filter(({ known }) => !known)
    return unknown.length === 0 ? { values } : { values, before: [{ statement: beginCounters, values: begun.values(unknown) }] }
  },
}

/**
 * By SIM, in one order everywhere, so that two meters never wait for each other in a circle. With no bytes, a SIM was at least seen. Usage that a
 * gateway whose clock is minutes ahead dates tomorrow counts today: a counter that is on tomorrow would let the rest of today pass uncounted.
 */
function countsOf(counted: readonly Counted[], today: string): SimCount[] {
  const sims = new Map<string, SimCount>()
  for (const { live, reading, up, down } of counted) {
    const { account_id, sim_id, counted: isKnown } = live
    const { event_at, received_at } = reading
    const dated = dayOf(event_at)
    const day = dated > today ? today : dated
    const period = `${day.slice(0, 7)}-01` // the month that is billed
    const key = account_id + sim_id
    const count = sims.get(key)
    if (!count) {
      const lifetime = { lifetimeUp: up, lifetimeDown: down }
      const ofDay = { day, dayUp: up, dayDown: down }
      sims.set(key, { account_id, sim_id, known: isKnown, ...ofDay, period, up, down, ...lifetime, seen_at: received_at })
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
  return [...sims.keys()].sort().map((key) => sims.get(key)!)
}
