import type { Preference } from '@masthead/contract/notifications/preference'
import type { Tx } from '../kernel/app.ts'
import { listRecipients, mayKnow, tagsOf } from './audience.ts'
import { listPreferences } from './preferences.ts'
import { minutesOf, quietUntil } from './quiet-hours.ts'

const channels = ['mail'] as const

/**
 * Decides who is to be told of an alert outside of the console, and when: at once, or after their quiet hours. A cause they were told of
 * (or are about to be) within their cool-down is not told again; its count goes on.
 */
export async function planDeliveries(tx: Tx, { account_id, id, at }: { account_id: string; id: string; at: Date }): Promise<void> {
  const alert = await tx.selectFrom('alert').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirstOrThrow()
  const asset_tags = await tagsOf(tx, account_id, alert.asset_id)
  const people = (await listRecipients(tx, account_id)).filter((person) => mayKnow(person, alert, asset_tags))
  const preferences = await listPreferences(
    tx,
    account_id,
    people.map(({ person_id }) => person_id)
  )
  const told = await lastTold(tx, account_id, alert.cause)
  const rows = people.flatMap(({ person_id }) => {
    const wanted = preferences.get(person_id)!
    return channels
      .filter((channel) => wanted[channel].includes(alert.severity) && !wanted.muted.includes(alert.source))
      .filter((channel) => at.getTime() - (told.get(`${person_id} ${channel}`) ?? -Infinity) >= wanted.cooldown_minutes * 60_000)
      .map((channel) => ({
        account_id,
        alert_id: id,
        person_id,
        channel,
        firing: alert.count,
        cause: alert.cause,
        due_at: dueAt(wanted, alert, at),
      }))
  })
  if (rows.length === 0) return
  await tx
    .insertInto('alert_delivery')
    .values(rows.map((row) => ({ ...row, sent_at: null, dropped_at: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** When somebody is to be told: now, or when their quiet hours are over. */
export function dueAt({ quiet_hours, timezone, urgent }: Preference, { severity }: { severity: string }, at: Date): Date {
  if (!quiet_hours || (urgent && severity === 'critical')) return at
  return quietUntil(at, { from: minutesOf(quiet_hours.from), to: minutesOf(quiet_hours.to), timezone }) ?? at
}

/** When each person was last told of a cause by each channel, or is going to be. */
async function lastTold(tx: Tx, account_id: string, cause: string): Promise<Map<string, number>> {
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
