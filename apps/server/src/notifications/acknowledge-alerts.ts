import { sql, type RawBuilder } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { alertsAcknowledged } from '@masthead/contract/notifications/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type * as ops from '@masthead/contract/notifications/operations'
import { alertsSeen, matchingAlerts, unreadBy } from './alert-queries.ts'
import { needsOf } from './audience.ts'

type Chosen = Parsed<typeof ops.acknowledgeAlerts>['body']

/**
 * Says for everybody that somebody has seen to these alerts: those named, those that match, or all that one sees; with `until` only what had happened
 * by then. What only happened is done with it.
 */
export async function acknowledgeAlerts(tx: Tx, actor: Actor, { alert_ids, matching, until }: Chosen): Promise<{ acknowledged: number }> {
  const { account_id, at, email } = actor
  const ids = matching && !alert_ids ? await matchingIds(tx, actor, matching) : await knownIds(tx, actor, alert_ids)
  const changed = await tx
    .updateTable('alert')
    .set({
      acknowledged_at: at,
      acknowledged_by: email,
      resolved_at: sql`case when lasting then resolved_at else coalesce(resolved_at, ${at}::timestamptz) end`,
      resolved_words: sql`case when lasting then resolved_words else coalesce(resolved_words, 'Acknowledged') end`,
    })
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .where('acknowledged_at', 'is', null)
    .where('resolved_at', 'is', null)
    .where('last_at', '<=', momentOf(until))
    .returning(['id', 'title', 'asset_id', 'audience', 'permission'])
    .execute()
  if (changed.length > 0) {
    const [only] = changed.length === 1 ? changed : []
    const about = { title: only?.title ?? `${changed.length} alerts`, asset_id: only?.asset_id ?? null, needs: only ? needsOf(only) : '' }
    const alert_ids = changed.slice(0, 100).map(({ id }) => id)
    await record(tx, actor, alertsAcknowledged, { count: changed.length, alert_ids, ...about })
    await markRead(
      tx,
      actor,
      changed.map(({ id }) => id),
      momentOf(until)
    )
  }
  return { acknowledged: changed.length }
}

/** Marks alerts as read (or as unread) by whoever asks: those named, or all that they see; with `until` only what had happened by then. */
export async function readAlerts(
  tx: Tx,
  actor: Actor,
  { alert_ids, read, until }: Parsed<typeof ops.readAlerts>['body']
): Promise<{ changed: number }> {
  const ids = await knownIds(tx, actor, alert_ids, read ? unreadBy(actor) : sql<boolean>`true`)
  const by = momentOf(until)
  return { changed: read ? await markRead(tx, actor, ids, by) : await forgetRead(tx, actor, ids, by) }
}

type Moment = Date | RawBuilder<Date>
const momentOf = (until: string | undefined): Moment => (until ? new Date(until) : sql<Date>`'infinity'`)

const matchingIds = async (tx: Tx, actor: Actor, matching: NonNullable<Chosen['matching']>): Promise<string[]> => [
  '',
  ...(await (await matchingAlerts(tx, actor, matching)).select('alert.id').execute()).map(({ id }) => id),
]

/** The ids of the alerts meant. One that they do not see does not exist. */
async function knownIds(tx: Tx, actor: Actor, wanted: readonly string[] | undefined, which = sql<boolean>`true`): Promise<string[]> {
  const seen = alertsSeen(tx, actor).select('alert.id')
  if (!wanted) return ['', ...(await seen.where(which).execute()).map(({ id }) => id)]
  const ids = [...new Set(wanted)]
  const found = await seen.where('alert.id', 'in', ids).execute()
  if (found.length !== ids.length) throw new Problem(notFound, 'One of these alerts does not exist')
  return ids
}

async function markRead(tx: Tx, { account_id, person_id, at }: Actor, ids: readonly string[], by: Moment): Promise<number> {
  // Somebody without a person (an installation's own key) has nothing to mark.
  const { numAffectedRows = 0n } = await sql`insert into alert_read (account_id, alert_id, person_id, read_at)
    select a.account_id, a.id, p.id, greatest(${at}::timestamptz, a.last_at) from alert a join person p on p.id = ${person_id}
    where a.account_id = ${account_id} and a.id = any(${[...ids]}::text[]) and a.last_at <= ${by}::timestamptz
    on conflict (account_id, alert_id, person_id) do update set read_at = excluded.read_at
      where alert_read.read_at < excluded.read_at`.execute(tx)
  return Number(numAffectedRows)
}

async function forgetRead(tx: Tx, { account_id, person_id }: Actor, ids: readonly string[], by: Moment): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('alert_read')
    .where('account_id', '=', account_id)
    .where('person_id', '=', person_id)
    .where('alert_id', 'in', (eb) =>
      eb.selectFrom('alert').select('id').where('account_id', '=', account_id).where('id', 'in', ids).where('last_at', '<=', by)
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
