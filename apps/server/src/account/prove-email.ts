import type { FastifyRequest } from 'fastify'
import { mailEmailProof as mailOperation } from '@masthead/contract/account/email-operations'
import { emailProved } from '@masthead/contract/auth/events'
import { emailProvenAlready, linkExpired, mailOff } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { takeTry } from '../auth/index.ts'
import { issueSecret, spendSecret, notifySecurity, withdrawSecrets } from '../factors/index.ts'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { queueMail } from '../kernel/mail/mail.ts'

const linkLives = 24 * 3600 // seconds

/** Mails a link to a person's own address; a later one takes its place. Throws email_proven_already, mail_off or too_many_requests. */
export async function mailEmailProof({ app, request, actor }: { app: App; request: FastifyRequest; actor: Actor }) {
  if (!app.mailer) throw new Problem(mailOff)
  const { person_id, at } = actor
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, mailOperation, async () => {
      const { email, email_proven_at } = await tx
        .selectFrom('person')
        .select(['email', 'email_proven_at'])
        .where('id', '=', person_id)
        .executeTakeFirstOrThrow()
      if (email_proven_at) throw new Problem(emailProvenAlready, 'This e-mail address is confirmed already')
      await takeTry(tx, at, { key: `proof of the e-mail of ${person_id}`, limit: 5, seconds: 3600 })
      await withdrawSecrets(tx, person_id, ['email_proof'])
      const token = await issueSecret(tx, { purpose: 'email_proof', person_id, email, at, seconds: linkLives })
      await queueMail(tx, { to: email, subject: 'Confirm your e-mail address', text: linkText(token) }, at)
      return { email, expires_at: new Date(at.getTime() + linkLives * 1000).toISOString() }
    })
  )
}

const linkText = (token: string) =>
  [
    'A Masthead account has this e-mail address. Confirm here within a day that it is yours:',
    `{console}/confirm-email?token=${token}`,
    'The link works once. If you have no such account, do not open it, because somebody else could then act as you.',
  ].join('\n\n')

/** Marks an address as its owner's, by the link that came there. Throws link_expired, also when the address is another by now. */
export async function proveByLink(tx: Tx, actor: Actor, token: string): Promise<{ email: string }> {
  const { at } = actor
  const known = await spendSecret(tx, 'email_proof', token, at)
  if (!known?.person_id || !known.email) throw new Problem(linkExpired)
  const { person_id, email } = known
  const { numUpdatedRows } = await tx
    .updateTable('person')
    .set({ email_proven_at: at, email_proven_by: 'mail' })
    .where('id', '=', person_id)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Problem(linkExpired)
  await notifySecurity(tx, { ...actor, email, person_id }, emailProved, { email })
  return { email }
}
