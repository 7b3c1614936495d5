import { newId } from '@masthead/contract/kernel/id'
import { sql, type RawBuilder } from 'kysely'
import type { App } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import type { MeterConnection } from './meter-connection.ts'
import { findParts } from './sessions/find-sessions.ts'
import type { GatewayReading } from './reading.ts'

const mostLookedAt = 5000
const day = 86_400_000

/**
 * Accounting-On and -Off: every session that the gateway has open under the name it gives, and whose last counted report is not of later, ends
 * at its last counters, at the time of them; a later report shows that it goes on. Resolves once all is committed, with the accounts concerned.
 * They are gone through, a part to a transaction: none takes long, however many there are. May be broken off and repeated: received again, be it
 * an hour late, it leaves what has reported since.
 */
export async function closeGateway(db: MeterConnection, reading: GatewayReading): Promise<Set<string>> {
  const accounts = new Set<string>()
  // Where two gateways were joined, one may have what has not been moved to the other yet.
  for (const [gateway_id] of await db.run<[string]>(findParts, [reading.gateway_id]))
    for (const account_id of await closeOpen(db, { ...reading, gateway_id })) accounts.add(account_id)
  return accounts
}

async function closeOpen(db: MeterConnection, reading: GatewayReading): Promise<Set<string>> {
  const { kind, nas, gateway_id, event_at, received_at } = reading
  const at = new Date(event_at)
  // What was reported while our own clock was ahead is of before.
  const isBefore = (updated_at: RawBuilder<unknown>) => sql`(${updated_at} <= ${at} or ${updated_at} > ${new Date(received_at + day)})`
  const which = sql`nas = ${nas} and not superseded and ${isBefore(sql`updated_at`)}`
  const cause = kind === 'on' ? 'Gateway restarted' : 'Gateway shut down'
  const accounts = new Set<string>()
  for (let after: string | null = ''; after !== null;) {
    const tx = await db.begin()
    const { rows } = await sql<{ last: string | null; accounts: string[] }>`with looked as materialized (
        select account_id, id, ${which} as mine from data_session
        where ended_at is null and gateway_id = ${gateway_id} and id > ${after} order by id limit ${mostLookedAt}
      ), held as (
        select s.account_id, s.id, s.ended_at, s.updated_at from looked l join data_session s on s.account_id = l.account_id and s.id = l.id
        where l.mine order by s.account_id, s.id for update of s
      ), closed as (
        update data_session s set ended_at = s.updated_at, end_cause = ${cause}, live_after = ${at} from held h
        where h.ended_at is null and ${isBefore(sql`h.updated_at`)} and s.account_id = h.account_id and s.id = h.id returning s.account_id
      ) select (select id from looked order by id offset ${mostLookedAt - 1}) as last,
        array(select distinct account_id from closed) as accounts`.execute(tx)
    await db.commit()
    for (const account_id of rows[0]!.accounts) accounts.add(account_id)
    after = rows[0]!.last
  }
  return accounts
}

const longestSilence = 26 * 3_600_000 // ms: a session lasts a day at most, and reports every few minutes
const mostAtOnce = 1000

/** Ends sessions whose stop was lost: they reported nothing for more than a day. Their last counters stand; a later report shows that one goes on. */
export async function closeSilentSessions({ db, clock }: App): Promise<void> {
  const now = clock.now().getTime()
  const [before, ahead] = [new Date(now - longestSilence), new Date(now + longestSilence)]
  for (;;) {
    // Those that the meter holds right now are not silent. Of those that were last seen by a clock far ahead of now nobody knows.
    const some = sql`update data_session s set ended_at = s.updated_at, end_cause = 'Lost stop', live_after = s.updated_at
      from (select account_id, id from data_session where ended_at is null and (heard_at < ${before} or heard_at > ${ahead}) limit ${mostAtOnce} for update skip locked) o
      where s.account_id = o.account_id and s.id = o.id`
    const { numAffectedRows = 0n } = await db.transaction().execute((tx) => some.execute(tx))
    if (numAffectedRows < mostAtOnce) return
  }
}

/**
 * Drops sessions that ended, and were last seen, more than `days` ago. The meter learns it first, for good: what a gateway reports of an unknown
 * session of that time counts no more (`batch.ts`). Found by their ids, which have the time in them, a thousand to a transaction; a row that
 * the meter holds is left for the next night. May be broken off and repeated.
 */
export async function dropOldSessions({ db, clock }: App, days: number): Promise<void> {
  const before = new Date(clock.now().getTime() - days * day)
  const last = newId('session', before.getTime())
  // Where nothing is as old, a gateway whose clock is years behind goes on being counted.
  const note = sql`update usage_coverage set sessions_since = greatest(sessions_since, ${before}) where exists (
    select from account a, lateral (select from data_session s where s.account_id = a.id and s.id < ${last} limit 1) old)`
  await db.transaction().execute((tx) => note.execute(tx))
  const accounts = await db.selectFrom('account').select('id').execute()
  for (const { id: account_id } of accounts) {
    for (let after = ''; after !== last;) {
      const drop = sql<{ upto: string | null }>`with lot as (
          select id from data_session
          where account_id = ${account_id} and id > ${after} and id < ${last} order by id limit ${mostAtOnce}
        ), old as (
          select s.id from data_session s join lot on lot.id = s.id where s.account_id = ${account_id}
            and s.ended_at <= ${before} and s.updated_at <= ${before} and s.heard_at <= ${before} order by s.id for update of s skip locked
        ), dropped as (delete from data_session s using old where s.account_id = ${account_id} and s.id = old.id)
        select max(id) as upto from lot having count(*) = ${mostAtOnce}`
      const { rows } = await db.transaction().execute((tx) => drop.execute(tx))
      after = rows[0]?.upto ?? last
    }
  }
}

/** Forgets what was in quarantine, was last reported `days` ago and is matched or discarded. What staff have not decided about stays: it may be usage. */
export const forgetQuarantined = ({ db, clock }: Pick<App, 'db' | 'clock'>, days: number): Promise<void> =>
  forgetRows({ db }, 'quarantine', sql`last_at < ${new Date(clock.now().getTime() - days * day)} and state <> 'open'`)
