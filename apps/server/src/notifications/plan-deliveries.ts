import { alertRaised } from '@masthead/contract/notifications/events'
import type { Preference } from '@masthead/contract/notifications/preference'
import { systemActor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { listRecipients, mayKnow, needsOf, tagsOf } from './audience.ts'
import { listPreferences } from './preferences.ts'
import { minutesOf, nextAt, quietUntil } from './quiet-hours.ts'

const channels = ['mail', 'webhook'] as const

/**
 * Decides who is to be notified of an alert outside of the console, and when: at once, or after their quiet hours. A cause they were notified of
 * (or are about to be) within their cool-down is not notified again, unless it is worse now; its count goes on.
 */
export async function planDeliveries(
  tx: Tx,
  { account_id, id, at, is_worse = false }: { account_id: string; id: string; at: Date; is_worse?: boolean }
): Promise<void> {
  const alert = await tx.selectFrom('alert').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirstOrThrow()
  const asset_tags = await tagsOf(tx, account_id, alert.asset_id)
  const people = (await listRecipients(tx, account_id)).filter((person) => mayKnow(person, alert, asset_tags))
  const preferences = await listPreferences(
    tx,
    account_id,
    people.map(({ person_id }) => person_id)
  )
  const told_of = { account_id, alert_id: id, firing: alert.count, cause: alert.cause }
  const notified = await lastNotified(tx, account_id, alert.cause)
  const rows = people.flatMap(({ person_id }) => {
    const wanted = preferences.get(person_id)!
    return channels
      .filter((channel) => wanted[channel].includes(alert.severity) && !wanted.muted.includes(alert.source))
      .filter(
        (channel) => is_worse || at.getTime() - (notified.get(`${person_id} ${channel}`) ?? -Infinity) >= wanted.cooldown_minutes * 60_000
      )
      .map((channel) => ({ ...told_of, person_id, channel, ...timeOf(channel, wanted, alert, at) }))
  })
  if (rows.length === 0) return
  await tx
    .insertInto('alert_delivery')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Webhooks send events: once, however many people want it.
  const { severity, source, title, words, count, asset_id } = alert
  if (rows.some(({ channel }) => channel === 'webhook'))
    await record(tx, systemActor(account_id, at), alertRaised, {
      alert_id: id,
      severity,
      source,
      title,
      words,
      count,
      asset_id,
      needs: needsOf(alert),
    })
}

/** Quiet hours are for people: a webhook sends at once. */
const timeOf = (channel: (typeof channels)[number], wanted: Preference, alert: { severity: string }, at: Date) => ({
  due_at: channel === 'mail' ? dueAt(wanted, alert, at) : at,
  sent_at: channel === 'mail' ? null : at,
  dropped_at: null,
})

/** When somebody is to be notified: now, with the next mail of the day from when it was planned for, or when their quiet hours are over. */
export function dueAt(
  { quiet_from, quiet_to, daily_at, timezone, urgent }: Preference,
  { severity }: { severity: string },
  at: Date,
  planned = at
): Date {
  if (urgent && severity === 'critical') return at
  if (daily_at !== null) return nextAt(planned, minutesOf(daily_at), timezone)
  if (!quiet_from || !quiet_to) return at
  return quietUntil(at, { from: minutesOf(quiet_from), to: minutesOf(quiet_to), timezone }) ?? at
}

/** When each person was last notified of a cause by each channel, or is going to be. */
async function lastNotified(tx: Tx, account_id: string, cause: string): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('alert_delivery')
    .select(({ fn }) => ['person_id', 'channel', fn.max('due_at').as('at')])
    .where('account_id', '=', account_id)
    .where('cause', '=', cause)
    .where('dropped_at', 'is', null)
    .groupBy(['person_id', 'channel'])
    .execute()
  return new Map(rows.map(({ person_id, channel, at }) => [`${person_id} ${channel}`, at.getTime()]))
}
