import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'

const againAfter = 500 // ms
/** How graphile-worker (0.18) names the statements by which it says what became of a job. */
const settling = /^(complete|fail)_job(_q)?\//

/** The first statement of a worker, which asks for the numbers of its tasks. What comes of it is kept for ever, a failure like an answer. */
const lookUp = /\._private_tasks as tasks\b/

/** After these the worker would wait, for minutes in the end, before it asks again; without a code it asks again two seconds later. */
const longWaits = new Set(['57P03', 'EHOSTUNREACH', 'ETIMEDOUT'])

type Asked = pg.QueryConfig & { name?: string }

function withoutLongWait(error: Error & { code?: string }): Error {
  return longWaits.has(error.code ?? '') ? new Error(error.message, { cause: error }) : error
}

const settled = { failed: 'what became of a job could not be kept and is tried again', done: 'what became of a job is kept now' }
const lookedUp = { failed: 'which jobs there are could not be asked and is tried again', done: 'which jobs there are is known now' }
const nothing = { rows: [], rowCount: 0 }

/**
 * A pool as graphile-worker is to see it. It does not wait for the statement that says what became of a job: where that failed, because the
 * database was away, a rejection that nobody handled ended the process, and the job stayed locked for four hours. Here such a statement is
 * said again until the database takes it. So is the one that asks for the numbers of tasks: where it failed once, because no connection was had in
 * time, no job was ever begun, while new ones came. From `stop` on, which is to come before the worker's own, what fails has found nothing: a worker that ends
 * while it asks for a job would wait for minutes and write to the terminal by itself. Whoever takes back the jobs of this runner finds those left.
 */
export function jobConnections(pool: pg.Pool, log: Logger): { pool: pg.Pool; stop: () => void } {
  let stopped = false
  const insist = async (asked: Asked, words: { failed: string; done: string }) => {
    for (let failed = false; ;) {
      try {
        const result = await pool.query(asked)
        if (failed) log.info(words.done)
        return result
      } catch (error) {
        if (stopped) return nothing
        if (!failed) log.warn({ err: error }, words.failed)
        failed = true
        await pause(againAfter)
      }
    }
  }
  const borrow = () => {
    let client: Promise<pg.PoolClient> | undefined
    return {
      query: async (asked: Asked, values?: unknown[]) => {
        if (settling.test(asked.name ?? '')) return insist(asked, settled)
        if (lookUp.test(asked.text)) return insist(asked, lookedUp)
        try {
          return await (await (client ??= pool.connect())).query(asked, values)
        } catch (error) {
          if (stopped) return nothing
          throw withoutLongWait(error as Error)
        }
      },
      release: async () => {
        const borrowed = await client?.catch(() => undefined)
        borrowed?.release()
      },
    }
  }
  const seen = {
    options: pool.options,
    listeners: pool.listeners.bind(pool),
    query: pool.query.bind(pool),
    // With a callback: for the connection that listens.
    connect: (done?: Parameters<pg.Pool['connect']>[0]) => (done ? pool.connect(done) : Promise.resolve(borrow())),
  }
  return { pool: seen as unknown as pg.Pool, stop: () => void (stopped = true) }
}
