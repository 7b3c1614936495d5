import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { App, Tx } from '../app.ts'
import type { Config } from '../config.ts'
import { screenAddress } from '../http/console-address.ts'
import { forgetRows } from '../jobs/forget-rows.ts'
import { addJob, task, type Task } from '../jobs/jobs.ts'
import { isEncrypted, type Keyed, type SecretKeys } from '../secrets/secret-keys.ts'
import { MailRefused } from './mailer.ts'
import './tables.ts'

/** What stands in a mail's text for the address of the console: `{console}/profile`. Filled in when it is sent or shown. */
export const consolePlace = '{console}'

/** The same for the address of the API: `{api}/reports`. */
export const apiPlace = '{api}'

const mailKept = 30 * 86_400_000 // ms

/**
 * Puts a mail into the outbox: it is sent after the commit of `tx`, and not at all if that fails. `text` is plain and may hold
 * `{console}` where a link to a screen begins.
 */
export async function queueMail(tx: Tx, { to, subject, text }: { to: string; subject: string; text: string }, at: Date): Promise<void> {
  const id = newId('mail', at.getTime())
  // A name that somebody chose may hold line breaks; a subject has one line.
  const line = subject.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  // A link in it lets somebody in: whoever reads the table, or a back-up of it, is not to find one.
  const sealed = encryptMail(tx, id, text)
  await tx.insertInto('mail').values({ id, to_email: to, subject: line, text: sealed, created_at: at }).execute()
  // Not `mail.send`: a worker of the release before would mail what it cannot open.
  await addJob(tx, 'mail.deliver', { id })
}

const placeOf = (id: string) => `mail ${id}`
export const encryptMail = ({ keys }: Keyed, id: string, text: string): string => keys.encrypt(placeOf(id), text)
/** The text of a row, with `{console}` in it. What was sent has none; what an older release wrote is not locked. */
export const readMail = (keys: SecretKeys, { id, text }: { id: string; text: string }): string =>
  isEncrypted(text) ? keys.decrypt(placeOf(id), text) : text

/** The text of a mail with its links. */
export const mailText = (text: string, config: Config) =>
  text.replaceAll(consolePlace, () => addressOf(config) + screenAddress(config, '')).replaceAll(apiPlace, () => `${addressOf(config)}/v1`)

/** Whether nobody but who has the address reads a link that is mailed to it. A demo without a mail server shows its mail. */
export const linksProve = ({ smtpUrl, demo }: Pick<Config, 'smtpUrl' | 'demo'>) => smtpUrl !== undefined || !demo

/** The address people use, without a slash at its end. */
export const addressOf = ({ publicUrl, ports }: Config) => publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${ports.http}`

type Sent = { id: string }

/** Sends one mail. Its row stays locked meanwhile, so that no other worker sends it too; once it is marked as sent it never is again. */
async function send({ db, clock, config, mailer, metrics, log }: App, { id }: Sent): Promise<void> {
  if (!mailer) return
  await db.transaction().execute(async (tx) => {
    const mail = await tx
      .selectFrom('mail')
      .select(['to_email', 'subject', 'text'])
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .where('refused_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!mail) return
    const outcome = await mailer
      .send({ id, to: mail.to_email, subject: mail.subject, text: mailText(readMail(db.keys, { id, text: mail.text }), config) })
      .then(
        () => {
          metrics.mail.inc({ outcome: 'sent' })
          return { sent_at: clock.now() }
        },
        (error: unknown) => {
          const refused = error instanceof MailRefused
          metrics.mail.inc({ outcome: refused ? 'refused' : 'failed' })
          if (!refused) throw error
          log.warn({ mail: id, words: error.message }, 'the mail server refused a mail for good')
          return { refused_at: clock.now(), refused_words: error.message.slice(0, 500) }
        }
      )
    await tx
      .updateTable('mail')
      .set({ ...outcome, text: '' })
      .where('id', '=', id)
      .execute()
  })
}
const deliverMail = task('mail.deliver', send)
/** Mail that the release before put into the outbox. */
const sendMail = task('mail.send', send)

const forgetMail = task(
  'mail.forget',
  (app) => forgetRows(app, 'mail', sql`created_at < ${new Date(app.clock.now().getTime() - mailKept)}`),
  '41 3 * * *'
)

export const mailTasks: Task[] = [deliverMail, sendMail, forgetMail]
