import { sql } from 'kysely'
import type { Db, Tx } from '../app.ts'
import { idsIn } from './jobs.ts'

export type GivenUp = {
  /** The queue's number of it. */
  id: string
  task: string
  tries: number
  /** When its last try failed. */
  at: Date
  /** What it names: `webhook_id=whk_…`. */
  about: string
  /** The first line of why its last try failed. */
  words: string
}

// As the figures of jobs have it: no try is left, and none is under way.
const isGivenUp = sql<boolean>`j.attempts >= j.max_attempts and j.locked_at is null`

/** The jobs that are tried no more, the oldest first. */
export async function listGivenUp(db: Db): Promise<GivenUp[]> {
  const { rows } = await sql<
    Omit<GivenUp, 'about'> & { payload: unknown }
  >`select j.id::text as id, t.identifier as task, j.attempts as tries,
      j.updated_at as at, j.payload, left(split_part(coalesce(j.last_error, ''), e'\n', 1), 200) as words
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where ${isGivenUp} order by j.updated_at, j.id`.execute(db)
  return rows.map(({ payload, ...row }) => ({
    ...row,
    about: Object.entries(idsIn(payload))
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' '),
  }))
}

/** Has these jobs tried again from now on, with all their tries; `null`: every one that was given up. Another job is left alone. Answers how many. */
export const retryGivenUp = (tx: Tx, ids: readonly string[] | null): Promise<number> =>
  counted(tx, sql`graphile_worker.reschedule_jobs(array(${given(ids)}), run_at => now(), attempts => 0)`)

/** Removes these jobs: what they were to do is never done. As `retryGivenUp`. */
export const forgetGivenUp = (tx: Tx, ids: readonly string[] | null): Promise<number> =>
  counted(tx, sql`graphile_worker.complete_jobs(array(${given(ids)}))`)

const given = (ids: readonly string[] | null) =>
  sql`select j.id from graphile_worker._private_jobs j where ${isGivenUp} and ${ids === null ? sql`true` : sql`j.id = any(${[...ids]}::bigint[])`}`

async function counted(tx: Tx, done: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`select from ${done}`.execute(tx)
  return rows.length
}
