import { sql } from 'kysely'
import { mostMail, type listMail as promise } from '@masthead/contract/demo/operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { demoPeople } from '../auth/index.ts'
import type { Actor, App } from '../kernel/app.ts'
import { mailText, readMail } from '../kernel/mail/mail.ts'

/**
 * The outbox of a demo that sends no mail. Mail to oneself; the demo's people, whose password everybody knows, also see mail to each other and
 * to addresses that nobody has an account with. Whoever opened an account of their own in a demo has mail that nobody else reads.
 */
export async function listMail({ app, actor }: { app: App; actor: Actor }): Promise<Reply<typeof promise>> {
  const { demo, smtpUrl } = app.config
  if (!demo || smtpUrl) return { shown: false, items: [] }
  const people = demoPeople.map(({ email }) => email)
  const rows = await app.db
    .selectFrom('mail')
    .select(['id', 'to_email as to', 'subject', 'text', 'created_at'])
    .where((eb) =>
      people.includes(actor.email)
        ? eb.or([
            eb('to_email', 'in', [actor.email, ...people]),
            sql<boolean>`not exists (select from person where person.email = mail.to_email)`,
          ])
        : eb('to_email', '=', actor.email)
    )
    .orderBy('id', 'desc')
    .limit(mostMail)
    .execute()
  const items = rows.map((mail) => ({
    ...mail,
    text: mailText(readMail(app.db.keys, mail), app.config),
    created_at: mail.created_at.toISOString(),
  }))
  return { shown: true, items }
}
