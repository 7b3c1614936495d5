import { sql } from 'kysely'
import { deviceReported } from '@masthead/contract/signals'
import type { AppDb, Clock, Db, Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'

/** A broker that has not said anything for so long runs no more, ms. */
const gone = 30_000

/** A broker that was seen since then runs. */
export const runsSince = (now: Date): Date => new Date(now.getTime() - gone)

/** `certificate`: that which the broker made for itself. */
type Row = { name: string; clients: number; counters: Record<string, number>; certificate?: string | null }

/** Whom these brokers held is offline until they are back, and the consoles that show them are notified. */
async function release(tx: Tx, names: ReturnType<typeof sql>, at: Date): Promise<void> {
  const { rows } = await sql<{ account_id: string }>`with released as (
      update device set online = false, since = ${at}, last_death_at = ${at} where online and held_by in (${names}) returning account_id)
    select distinct account_id from released`.execute(tx)
  if (rows.length > 0)
    await publish(
      tx,
      rows.map(({ account_id }) => account_id),
      deviceReported
    )
}

/** A broker begins: whom it, or one of its name before it, held is offline until they are back. */
export async function enterBroker(db: AppDb, clock: Clock, name: string, certificate: string | null): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await release(tx, sql`select ${name}`, now)
    await sql`insert into broker (name, started_at, seen_at, certificate) values (${name}, ${now}, ${now}, ${certificate})
      on conflict (name) do update set started_at = excluded.started_at, seen_at = excluded.seen_at, clients = 0, counters = '{}', certificate = excluded.certificate`.execute(
      tx
    )
  })
}

/**
 * It says that it runs, and takes over what others held that do not. False: it was taken for one that does not run any more, so whom it holds
 * counts as offline.
 */
export async function renewBroker(
  db: AppDb,
  clock: Clock,
  { name, clients, counters, certificate = null, started_at = clock.now() }: Row & { started_at?: Date }
): Promise<boolean> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ is_new: boolean }>`insert into broker (name, started_at, seen_at, clients, counters, certificate)
      values (${name}, ${started_at}, ${now}, ${clients}, ${JSON.stringify(counters)}, ${certificate})
      on conflict (name) do update set seen_at = excluded.seen_at, clients = excluded.clients, counters = excluded.counters,
        certificate = excluded.certificate
      returning xmax = 0 as is_new`.execute(tx)
    await releaseSilent(tx, clock)
    return !rows[0]!.is_new
  })
}

/** The certificates that brokers which run made for themselves, as PEM; null: there are none. An agent trusts them for its connection to a broker. */
export async function certificatesOfBrokers(db: Db, now: Date): Promise<string | null> {
  const rows = await db
    .selectFrom('broker')
    .select('certificate')
    .distinct()
    .where('certificate', 'is not', null)
    .where('seen_at', '>=', runsSince(now))
    .orderBy('certificate')
    .execute()
  return rows.map(({ certificate }) => certificate).join('') || null
}

/** Brokers that are not seen any more hold nobody. */
async function releaseSilent(tx: Tx, clock: Clock): Promise<void> {
  const since = runsSince(clock.now())
  await release(tx, sql`select name from broker where seen_at < ${since}`, clock.now())
  await sql`delete from broker where seen_at < ${since}`.execute(tx)
}

/** The same where no broker runs that could do it. */
export async function releaseSilentBrokers({ db, clock }: { db: AppDb; clock: Clock }): Promise<void> {
  await db.transaction().execute((tx) => releaseSilent(tx, clock))
}

export async function leaveBroker(db: AppDb, clock: Clock, name: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await release(tx, sql`select ${name}`, clock.now())
    await sql`delete from broker where name = ${name}`.execute(tx)
  })
}
