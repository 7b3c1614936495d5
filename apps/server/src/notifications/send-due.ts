import { formatExact } from '@masthead/contract/kernel/time'
import { severities, type Severity } from '@masthead/contract/notifications/alert'
import type { App, Tx } from '../kernel/app.ts'
import { consolePlace, queueMail } from '../kernel/mail/mail.ts'
import { listRecipients, mayKnow, tagsOf } from './audience.ts'
import { nameSims } from './name-sims.ts'
import { dueAt } from './plan-deliveries.ts'
import { listPreferences } from './preferences.ts'
import { minutesEast } from './quiet-hours.ts'

const mostInMail = 50

/** Notifies everybody of what is due: one mail to each person about each account, however many alerts. */
export async function sendDue({ db, clock, log }: App): Promise<void> {
  const at = clock.now()
  const due = await db
    .selectFrom('alert_delivery')
    .select(['account_id', 'person_id'])
    .distinct()
    .where('due_at', '<=', at)
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .execute()
  for (const { account_id, person_id } of due) {
    try {
      await db.transaction().execute((tx) => sendTo(tx, account_id, person_id, at))
    } catch (error) {
      // One mail that fails keeps none of the others waiting, which may be of other customers.
      log.error({ err: error, account_id, person_id }, 'a mail of alerts could not be written and will be tried again')
    }
  }
}

type Due = Awaited<ReturnType<typeof takeDue>>[number]

/** The mail and the mark that it was sent are one transaction: it is not sent twice, and not forgotten. */
async function sendTo(tx: Tx, account_id: string, person_id: string, at: Date): Promise<void> {
  const rows = await takeDue(tx, account_id, person_id, at)
  if (rows.length === 0) return
  const person = (await listRecipients(tx, account_id)).find((one) => one.person_id === person_id)
  const wanted = (await listPreferences(tx, account_id, [person_id])).get(person_id)!
  const toSend: Due[] = []
  for (const row of rows) {
    // Rights and wishes may have changed since it was planned, and somebody may have seen to it.
    const known = person && mayKnow(person, row, await tagsOf(tx, account_id, row.asset_id))
    const dropped = !known || row.acknowledged_at !== null || !wanted.mail.includes(row.severity) || wanted.muted.includes(row.source)
    const due = dueAt(wanted, row, at, row.due_at)
    if (dropped) await mark(tx, row, person_id, { dropped_at: at })
    else if (due > at) await mark(tx, row, person_id, { due_at: due })
    else toSend.push(row)
  }
  if (toSend.length === 0) return
  const { team_name } = await tx.selectFrom('account').select('team_name').where('id', '=', account_id).executeTakeFirstOrThrow()
  const named = await nameSims(tx, { account_id, tags: person!.tags }, toSend)
  await queueMail(tx, { to: person!.email, ...composeMail(named, team_name, wanted.timezone) }, at)
  for (const row of toSend) await mark(tx, row, person_id, { sent_at: at })
}

const takeDue = (tx: Tx, account_id: string, person_id: string, at: Date) =>
  tx
    .selectFrom('alert_delivery as d')
    .innerJoin('alert as a', (join) => join.onRef('a.account_id', '=', 'd.account_id').onRef('a.id', '=', 'd.alert_id'))
    .select(['d.account_id', 'd.alert_id', 'd.channel', 'd.firing', 'd.due_at'])
    .select(['a.severity', 'a.source', 'a.audience', 'a.permission', 'a.asset_id', 'a.link', 'a.cause', 'a.title', 'a.words'])
    .select(['a.last_at', 'a.count', 'a.acknowledged_at', 'a.resolved_at', 'a.resolved_words'])
    .where('d.account_id', '=', account_id)
    .where('d.person_id', '=', person_id)
    .where('d.channel', '=', 'mail')
    .where('d.due_at', '<=', at)
    .where('d.sent_at', 'is', null)
    .where('d.dropped_at', 'is', null)
    .orderBy('a.last_at')
    .orderBy('a.id')
    .forUpdate('d')
    .skipLocked()
    .execute()

type Change = { sent_at: Date } | { dropped_at: Date } | { due_at: Date }

const mark = (tx: Tx, { account_id, alert_id, channel, firing }: Due, person_id: string, change: Change) =>
  tx
    .updateTable('alert_delivery')
    .set(change)
    .where('account_id', '=', account_id)
    .where('alert_id', '=', alert_id)
    .where('person_id', '=', person_id)
    .where('channel', '=', channel)
    .where('firing', '=', firing)
    .execute()

type Mailed = Pick<Due, 'link' | 'severity' | 'title' | 'words' | 'last_at' | 'count' | 'resolved_at' | 'resolved_words'>

/** One alert by its title; several as a digest, the worst first and what is over by then last. Times are on the reader's clock. */
export function composeMail(rows: readonly Mailed[], team_name: string, timezone: string): { subject: string; text: string } {
  const exact = (at: Date) => formatExact(at.toISOString(), minutesEast(at, timezone))
  const order = Object.keys(severities)
  const isOver = ({ resolved_at }: Mailed) => resolved_at !== null
  const sorted = rows.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || order.indexOf(b.severity) - order.indexOf(a.severity))
  const first = sorted[0]!
  const others = rows.length - 1
  const over = rows.filter(isOver).length
  const subject = `${isOver(first) ? 'Over' : severities[first.severity]}: ${first.title}${others > 0 ? `, and ${others} more on ${team_name}` : ''}`
  const counts = order.toReversed().flatMap((severity) => {
    const count = rows.filter((row) => row.severity === severity).length
    return count > 0 ? [`${count} ${severities[severity as Severity].toLowerCase()}${severity === 'warn' && count > 1 ? 's' : ''}`] : []
  })
  const head = others > 0 ? [`${rows.length} alerts on ${team_name}: ${counts.join(', ')}.${over > 0 ? ` Over by now: ${over}.` : ''}`] : []
  const parts = sorted
    .slice(0, mostInMail)
    .map(({ severity, title, words, link, last_at, count, resolved_at, resolved_words }) =>
      [
        `${severities[severity]}: ${title}`,
        words,
        `${exact(last_at)}${count > 1 ? `, ${count} times` : ''}`,
        resolved_at && `Over since ${exact(resolved_at)}: ${resolved_words}`,
        link && `${consolePlace}${link}`,
      ]
        .filter(Boolean)
        .join('\n')
    )
  const more = rows.length > mostInMail ? [`And ${rows.length - mostInMail} more.`] : []
  const end = `All alerts of ${team_name}, and your notification preferences: ${consolePlace}/notifications`
  return { subject, text: [...head, ...parts, ...more, end].join('\n\n') }
}
