import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'
import type { DatabaseFigure } from '../kernel/database-figures.ts'

const enforced = (column: string) => async (app: App) => {
  const since = new Date(app.clock.now().getTime() - 86_400_000)
  const { rows } = await sql<Record<'median' | 'p99' | 'max', number | null>>`select max(v) as max,
      percentile_cont(0.5) within group (order by v) as median, percentile_cont(0.99) within group (order by v) as p99
    from (select ${sql.raw(column)} as v from enforcement where reached_at >= ${since} and cut_at is not null) e`.execute(app.db)
  const { median, p99, max } = rows[0]!
  const shares = { '0.5': median, '0.99': p99, '1': max }
  return Object.entries(shares).flatMap(([share, value]) => (value === null ? [] : [{ value: Number(value), labels: { share } }]))
}

/** What `/metrics` says of usage as the database has it. */
export const usageFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_rollup_behind_seconds',
    help: 'How far hours, days and months are behind what was answered',
    samples: async ({ db, clock }) => {
      const rows = await db.selectFrom('rollup_progress').select('complete_until').where('name', '=', 'usage').execute()
      return rows.map((row) => ({ value: Math.max(0, (clock.now().getTime() - row.complete_until.getTime()) / 1000) }))
    },
  },
  {
    name: 'masthead_usage_partitions',
    help: 'Days of usage records: past ones that are kept, and coming ones that are made',
    labelNames: ['when'],
    samples: async ({ db, clock }) => {
      const today = `usage_record_${dayOf(clock.now()).replaceAll('-', '')}`
      const { rows } = await sql<{ ahead: number; kept: number }>`select count(*) filter (where c.relname > ${today}) as ahead,
          count(*) filter (where c.relname <= ${today}) as kept
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_record'::regclass`.execute(db)
      const { ahead, kept } = rows[0]!
      return Object.entries({ ahead, kept }).map(([when, value]) => ({ value, labels: { when } }))
    },
  },
  {
    name: 'masthead_quarantine_sessions',
    help: 'Sessions in quarantine, by what became of them',
    labelNames: ['state'],
    samples: async ({ db }) => {
      const { rows } = await sql<{ state: string; value: number }>`select s.state, count(q.id) as value
        from unnest(array['open', 'matched', 'discarded']) as s(state) left join quarantine q on q.state = s.state group by 1`.execute(db)
      return rows.map(({ state, value }) => ({ value, labels: { state } }))
    },
  },
  {
    name: 'masthead_enforcement_waiting',
    help: 'SIMs that reached a data limit, or whose data pools or credits are used up, and whose session is not cut yet',
    samples: async ({ db }) => {
      const { rows } = await sql<{ value: number }>`select count(*) as value from enforcement
        where lifted_at is null and cut_at is null`.execute(db)
      return rows
    },
  },
  {
    name: 'masthead_enforcement_seconds',
    help: 'From the report that reached a data limit, or used up data pools or credits, to the end of the session, over a day',
    labelNames: ['share'],
    samples: enforced('extract(epoch from cut_at - reached_at)'),
  },
  {
    name: 'masthead_enforcement_overshoot_bytes',
    help: 'Bytes used beyond a data limit, data pools or credits, over a day',
    labelNames: ['share'],
    samples: enforced('overshoot_bytes'),
  },
]
