import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'

const longestSilence = 26 * 3_600_000 // ms: a session lasts a day at most, and reports every few minutes
const mostAtOnce = 1000

/** Ends sessions whose stop was lost: nothing was heard of them for more than a day. Their last counters stand. */
export async function closeSilentSessions({ db, clock }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - longestSilence)
  for (;;) {
    // Those that the meter holds right now are not silent.
    const { numAffectedRows = 0n } = await sql`update data_session s set ended_at = s.updated_at, end_cause = 'Lost stop'
      from (select account_id, id from data_session where ended_at is null and heard_at < ${before} limit ${mostAtOnce} for update skip locked) o
      where s.account_id = o.account_id and s.id = o.id`.execute(db)
    if (numAffectedRows < mostAtOnce) return
  }
}
