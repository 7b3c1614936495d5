import { newId } from '@masthead/contract/kernel/id'
import type { App, Tx } from '../app.ts'
import type { Config } from '../config.ts'
import { screenAddress } from '../http/console-address.ts'
import { addJob, task, type Task } from '../jobs/jobs.ts'
import { MailRefused } from './mailer.ts'

/** What stands in a mail's text for the address of the console: `{console}/profile`. Filled in when it is sent or shown. */
export const consolePlace = '{console}'

const mailKept = 30 * 86_400_000 // ms

/**
 * Puts a mail into the outbox: it is sent after the commit of `tx`, and not at all if that fails. `text` is plain and may hold
 * `{console}` where a link to a screen begins.
 */
export async function queueMail(tx: Tx, { to, subject, text }: { to: string; subject: string; text: string }, at: Date): Promise<void> {
  const id = newId('mail', at.getTime())
  // A name that somebody chose may hold line breaks; a subject has one line.
  const line = subject.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  await tx.insertInto('mail').values({ id, to_email: to, subject: line, text, created_at: at }).execute()
  await addJob(tx, 'mail.send', { id })
}

/** The text of a mail with its links. */
export const mailText = (text: string, config: Config) => text.replaceAll(consolePlace, () => addressOf(config) + screenAddress(config, ''))

/** Whether nobody but who has the address reads a link that is mailed to it. A demo without a mail server shows its mail. */
export const linksProve = ({ smtpUrl, demo }: Pick<Config, 'smtpUrl' | 'demo'>) => smtpUrl !== undefined || !demo

/** The address people use, without a slash at its end. */
export const addressOf = ({ publicUrl, ports }: Config) => publicUrl?.replace(/\/+$/, '') ?? `http://localhost:${ports.http}`

/** Sends one mail. Its row stays locked meanwhile, so that no other worker sends it too; once it is marked as sent it never is again. */
const sendMail = task('mail.send', async ({ db, clock, config, mailer, metrics, log }: App, { id }: { id: string }) => {
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
    const outcome = await mailer.send({ id, to: mail.to_email, subject: mail.subject, text: mailText(mail.text, config) }).then(
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
})

const forgetMail = task(
  'mail.forget',
  async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - mailKept)
    await db.transaction().execute((tx) => tx.deleteFrom('mail').where('created_at', '<', before).execute())
  },
  '41 3 * * *'
)

export const mailTasks: Task[] = [sendMail, forgetMail]
