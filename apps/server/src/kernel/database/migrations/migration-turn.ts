import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Where a migration says what it does and whom it waits for. */
export type MigrationLog = { info: (words: string) => void; warn: (words: string) => void }

const logEvery = 10_000 // ms
const checkEvery = 400 // ms, several times while one lock is waited for

/**
 * Does work while nobody else migrates this database. Who waits asks again and again: one that waited inside the database would hold a snapshot,
 * and an index that is made concurrently waits for every snapshot.
 */
export async function inTurn<T>(client: pg.ClientBase, log: MigrationLog, work: () => Promise<T>, askEvery = 500): Promise<T> {
  let loggedAt = -Infinity
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(hashtext('masthead.migrate')) as got`)
    if (rows[0]!.got) break
    if (performance.now() - loggedAt >= logEvery) {
      log.info(`Waiting for ${(await holderOf(client)) ?? 'another process'}, which migrates the database`)
      loggedAt = performance.now()
    }
    await pause(askEvery)
  }
  const answer = await work()
  await client.query(`select pg_advisory_unlock(hashtext('masthead.migrate'))`)
  return answer
}

type Process = { pid: number; name: string; state: string | null; seconds: number | null }

const inWords = ({ pid, name, state, seconds }: Process) =>
  `process ${pid} of PostgreSQL (${[name, state && `${state}${seconds === null ? '' : ` for ${seconds} s`}`].filter(Boolean).join(', ')})`

// Never what it runs: that may hold anything.
const columns = `a.pid, coalesce(nullif(a.application_name, ''), a.backend_type) as name, a.state,
  extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start))::int as seconds`

async function holderOf(client: pg.ClientBase) {
  const { rows } = await client.query<Process>(`select ${columns} from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
      and l.objsubid = 1 and ((l.classid::bigint << 32) | l.objid::bigint) = hashtext('masthead.migrate')`)
  return rows[0] && inWords(rows[0])
}

/** For whom a connection waits right now, in words; null: for nobody. */
async function blockersOf(pool: pg.Pool, pid: number): Promise<string | null> {
  const { rows } = await pool.query<Process>(
    `select ${columns} from unnest(pg_blocking_pids($1)) as blocker (pid) join pg_stat_activity a using (pid) order by a.pid`,
    [pid]
  )
  return rows.length === 0 ? null : rows.map(inWords).join(' and ')
}

/** Logs for whom `client` waits while `work` lasts, not oftener than every ten seconds. `last` keeps the words after the wait is over. */
export async function loggingWaits<T>(
  { pool, client, log, name }: { pool: pg.Pool; client: pg.ClientBase; log: MigrationLog; name: string },
  work: (waits: { last: string | null }) => Promise<T>
): Promise<T> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waits: { last: string | null } = { last: null }
  let loggedAt = -Infinity
  const check = async () => {
    const blockers = await blockersOf(pool, rows[0]!.pid).catch(() => null)
    if (blockers === null) return
    waits.last = blockers
    if (performance.now() - loggedAt < logEvery) return
    loggedAt = performance.now()
    log.warn(`Migration ${name} waits for ${blockers}`)
  }
  const timer = setInterval(() => void check(), checkEvery)
  try {
    return await work(waits)
  } finally {
    clearInterval(timer)
  }
}

/** Does what runs outside a transaction, whatever limits the database or its user has. `lock`: ms that one lock is waited for; 0: as long as it takes. */
export async function asLongAsItTakes<T>(client: pg.ClientBase, lock: number, work: () => Promise<T>): Promise<T> {
  await client.query(`set lock_timeout = ${lock}; set statement_timeout = 0`)
  try {
    return await work()
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout').catch(() => {}) // the connection may be gone, and why is said by the work
  }
}
