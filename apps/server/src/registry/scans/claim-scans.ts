import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'

/** A process that has not said what came of it by then is taken to have ended. Longer than the scanner is waited for. */
const lease = 60_000 // ms

/** A scan that this process is to go on with now. */
export type ClaimedScan = {
  account_id: string
  digest: string
  /** A result counts only while no later turn began. */
  turn: number
  tries: number
  /** Null: it is to be asked for. */
  scan_id: string | null
  report_type: string | null
  begun_at: Date | null
}

/**
 * Takes what is due: what is under way, and of what waits as many as there are places, over all processes. Accounts take turns, those with the fewest under
 * way first, and what somebody waits for goes before what is scanned again by itself. What
 * somebody changes just now has its turn next time.
 */
export async function claimScans({ db, clock }: Pick<App, 'db' | 'clock'>, atOnce: number): Promise<ClaimedScan[]> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('registry_scan'))`.execute(tx)
    const { rows } = await sql<ClaimedScan>`with busy as (
        select account_id, count(*) as scans from registry_scan where state in ('asking', 'under_way') and due_at is not null group by account_id
      ), fresh as (
        select account_id, digest from (
          select s.account_id, s.digest, s.urgent, s.due_at, coalesce(b.scans, 0)
            + row_number() over (partition by s.account_id order by s.urgent desc, s.due_at, s.digest) as place
          from registry_scan s left join busy b on b.account_id = s.account_id where s.state = 'waiting' and s.due_at <= ${now}
        ) waiting
        order by urgent desc, place, due_at, digest
        limit greatest(0, ${atOnce}::int - (select coalesce(sum(scans), 0) from busy))::bigint
      ), due as (
        select account_id, digest from fresh
        union all select account_id, digest from registry_scan where state in ('asking', 'under_way') and due_at <= ${now}
      ), free as (
        select s.account_id, s.digest from registry_scan s join due on due.account_id = s.account_id and due.digest = s.digest
        for update of s skip locked
      )
      update registry_scan s set state = case when s.state = 'waiting' then 'asking' else s.state end,
        due_at = ${new Date(now.getTime() + lease)}, turn = s.turn + 1
      from free where s.account_id = free.account_id and s.digest = free.digest
      returning s.account_id, s.digest, s.turn, s.tries, s.scan_id, s.report_type, s.begun_at`.execute(tx)
    return rows
  })
}
