import { newId } from '@masthead/contract/kernel/id'
import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'
import { type MeterConnection, begin, commit } from './meter-connection.ts'
import type { GatewayReading } from './reading.ts'

/** Accounting-On and -Off: every open session of that gateway ends at its last counters, at the time of them. Resolves once committed, with the accounts concerned. */
export async function closeGateway(db: MeterConnection, { kind, nas, gateway_id, whole_gateway }: GatewayReading): Promise<Set<string>> {
  await db.run(begin)
  const which = whole_gateway ? sql`gateway_id = ${gateway_id}` : sql`nas = ${nas} and not superseded`
  const cause = kind === 'on' ? 'Gateway restarted' : 'Gateway shut down'
  const { rows } = await sql<{ account_id: string }>`with open as (
      select account_id, id from data_session where ${which} and ended_at is null order by nas, acct_session_id for update
    ), closed as (
      update data_session s set ended_at = s.updated_at, end_cause = ${cause} from open o where s.account_id = o.account_id and s.id = o.id
      returning s.account_id
    ) select distinct account_id from closed`.execute(db.tx)
  await db.run(commit)
  return new Set(rows.map((row) => row.account_id))
}

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

const day = 86_400_000

/**
 * Drops sessions that ended, and were last heard of, more than `days` ago. The meter is told first, for good: what a gateway tells of an unknown
 * session of that time counts no more (`batch.ts`). Found by their ids, which have the time in them, a thousand to a transaction; a row that
 * the meter holds is left for the next night. May be broken off and repeated.
 */
export async function dropOldSessions({ db, clock }: App, days: number): Promise<void> {
  const before = new Date(clock.now().getTime() - days * day)
  await sql`update usage_coverage set sessions_since = greatest(sessions_since, ${before})`.execute(db)
  const accounts = await db.selectFrom('account').select('id').execute()
  for (const { id: account_id } of accounts) {
    const last = newId('session', before.getTime())
    for (let after = ''; after !== last;) {
      const { rows } = await sql<{ upto: string | null }>`with lot as (
          select id from data_session
          where account_id = ${account_id} and id > ${after} and id < ${last} order by id limit ${mostAtOnce}
        ), old as (
          select s.id from data_session s join lot on lot.id = s.id where s.account_id = ${account_id}
            and s.ended_at <= ${before} and s.updated_at <= ${before} and s.heard_at <= ${before} order by s.id for update of s skip locked
        ), dropped as (delete from data_session s using old where s.account_id = ${account_id} and s.id = old.id)
        select max(id) as upto from lot having count(*) = ${mostAtOnce}`.execute(db)
      after = rows[0]?.upto ?? last
    }
  }
}
