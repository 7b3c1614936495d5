import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { ScanFailed } from './scan-failed.ts'
import { whatItIs } from './scanner-says.ts'

/** So many are asked for at a time: what somebody waits for goes before them. */
const atOnce = 1000
/** The same image is scanned again by itself no sooner, however often the database of the scanner changes. */
const againAfter = 86_400_000 // ms

/**
 * Has scanned what never was, what was scanned with an older database than the scanner has now, and what was given up a day ago; and forgets scans of what
 * was deleted.
 */
export async function scanByItself(app: App): Promise<void> {
  await app.db.transaction().execute((tx) =>
    sql`delete from registry_scan s where not exists (select from registry_manifest m
        where m.account_id = s.account_id and m.digest = s.digest)`.execute(tx)
  )
  const { scanner } = app.config.integrations
  if (!scanner) return
  let database_at: Date | null
  try {
    database_at = (await whatItIs(app, scanner)).database_at
  } catch (error) {
    if (!(error instanceof ScanFailed)) throw error
    return app.log.warn({ words: error.message }, 'the scanner of images does not say what it is')
  }
  const at = app.clock.now()
  const before = new Date(at.getTime() - againAfter)
  await app.db.transaction().execute(async (tx) => {
    await sql`insert into registry_scan (account_id, digest, state, due_at, asked_at, urgent)
      select distinct m.account_id, m.digest, 'waiting', ${at}::timestamptz, ${at}::timestamptz, false from registry_manifest m
      join account a on a.id = m.account_id
      where a.suspended_at is null and a.closed_at is null and m.config is not null and m.subject is null and m.platforms <> '[]'
        and not exists (select from registry_scan s where s.account_id = m.account_id and s.digest = m.digest)
      limit ${atOnce} on conflict do nothing`.execute(tx)
    await sql`update registry_scan s set state = 'waiting', due_at = ${at}, asked_at = ${at}, asked_by = null, urgent = false, tries = 0, turn = turn + 1
      where (account_id, digest) in (select s.account_id, s.digest from registry_scan s join account a on a.id = s.account_id
        where a.suspended_at is null and a.closed_at is null and (
          (s.state = 'done' and s.done_at < ${before} and coalesce(s.database_at, '-infinity') < ${database_at}::timestamptz)
          or (s.state = 'failed' and s.failed_at < ${before}))
        order by coalesce(s.done_at, s.failed_at), s.account_id, s.digest limit ${atOnce} for update of s skip locked)`.execute(tx)
  })
}
