import { sql } from 'kysely'
import type { DatabaseFigure } from '../database-figures.ts'

// The queue's own tables: graphile-worker (0.18) has no view of tasks and tries together.
const jobs = sql`graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`

/** What `/metrics` says of the queue of jobs. */
export const jobFigures: readonly DatabaseFigure[] = [
  {
    name: 'masthead_jobs_queued',
    help: 'Jobs in the queue, by task and state',
    labelNames: ['task', 'state'],
    samples: async ({ db }) => {
      const { rows } = await sql<{ task: string; state: string; value: number }>`select t.identifier as task, count(*) as value,
          case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'given_up'
            when j.run_at > now() then 'later' else 'due' end as state
        from ${jobs} group by 1, 3`.execute(db)
      return rows.map(({ task, state, value }) => ({ value, labels: { task, state } }))
    },
  },
  {
    name: 'masthead_jobs_behind_seconds',
    help: 'How long the oldest job that is due has waited',
    samples: async ({ db }) => {
      const { rows } = await sql<{ value: number }>`select coalesce(max(extract(epoch from now() - run_at)), 0) as value
        from graphile_worker._private_jobs where locked_at is null and attempts < max_attempts and run_at <= now()`.execute(db)
      return rows
    },
  },
]
