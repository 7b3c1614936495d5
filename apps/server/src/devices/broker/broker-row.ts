import { sql } from 'kysely'
import type { AppDb, Clock } from '../../kernel/app.ts'

/** A broker that has not said anything for so long runs no more, ms. */
const gone = 30_000

type Row = { name: string; clients: number; counters: Record<string, number> }

const release = (names: ReturnType<typeof sql>, at: Date) => sql`with released as (
    update device set online = false, since = ${at}, last_death_at = ${at} where online and held_by in (${names}) returning 1)
  select count(*) from released`

/** A broker begins: whom it, or one of its name before it, held is offline until they are back. */
export async function enterBroker(db: AppDb, clock: Clock, name: string): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await release(sql`select ${name}`, now).execute(tx)
    await sql`insert into broker (name, started_at, seen_at) values (${name}, ${now}, ${now})
      on conflict (name) do update set started_at = excluded.started_at, seen_at = excluded.seen_at, clients = 0, counters = '{}'`.execute(
      tx
    )
  })
}

/** It says that it runs, and takes over what others held that do not. */
export async function renewBroker(db: AppDb, clock: Clock, { name, clients, counters }: Row): Promise<void> {
  const now = clock.now()
  const since = new Date(now.getTime() - gone)
  await db.transaction().execute(async (tx) => {
    await sql`update broker set seen_at = ${now}, clients = ${clients}, counters = ${JSON.stringify(counters)} where name = ${name}`.execute(
      tx
    )
    await release(sql`select name from broker where seen_at < ${since}`, now).execute(tx)
    await sql`delete from broker where seen_at < ${since}`.execute(tx)
  })
}

export async function leaveBroker(db: AppDb, clock: Clock, name: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await release(sql`select ${name}`, clock.now()).execute(tx)
    await sql`delete from broker where name = ${name}`.execute(tx)
  })
}
