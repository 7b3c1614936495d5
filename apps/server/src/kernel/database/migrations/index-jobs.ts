import type pg from 'pg'
import { asLongAsItTakes, inTurn, loggingWaits, type MigrationLog } from './migration-turn.ts'

const index = 'graphile_worker.masthead_jobs_by_task'

/**
 * An index on the job queue's own table (graphile-worker 0.18), made once and beside whatever works. Each runner asks for jobs of its own tasks alone, in
 * the order of priority and time: by the queue's index it would read from the table each waiting job of the other runner's, 18 ms where
 * 20,000 cuts wait for a gateway that is silent. One whose making was cut short is made again. It waits until whatever was under way before has ended, as
 * long as a dump takes, and says for whom.
 */
export async function indexJobs(around: { pool: pg.Pool; client: pg.ClientBase; log: MigrationLog }): Promise<void> {
  const { client, log } = around
  const isThere = async () => {
    const { rows } = await client.query<{ is_valid: boolean }>(
      'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
      [index]
    )
    return rows[0]?.is_valid
  }
  if (await isThere()) return
  const make = async () => {
    if ((await isThere()) === false) await client.query(`drop index concurrently ${index}`)
    await client.query(
      `create index concurrently if not exists masthead_jobs_by_task on graphile_worker._private_jobs (priority, run_at, task_id) where is_available`
    )
  }
  await inTurn(client, log, async () => {
    // Others get past it, so it waits as long as it must.
    await asLongAsItTakes(client, 0, () => loggingWaits({ ...around, name: 'of the job queue' }, make))
  })
}
