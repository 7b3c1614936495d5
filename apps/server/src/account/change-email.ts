import type { FastifyRequest } from 'fastify'
import { changeEmail as changeOperation, confirmEmail as confirmOperation } from '@masthead/contract/account/security-operations'
import { emailChangeAsked, emailChanged } from '@masthead/contract/auth/events'
import { emailTaken, linkExpired } from '@masthead/contract/auth/problems'
import type { Proof } from '@masthead/contract/auth/proof'
import { Problem } from '@masthead/contract/kernel/problem'
import { requireFreshProof, takeTry } from '../auth/index.ts'
import { networkOf } from '../kernel/network-of.ts'
import { findSecret, issueSecret, noticeOf, spendSecret, notifySecurity, withdrawSecrets } from '../factors/index.ts'
import type { Actor, App, Db, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { linksProve, queueMail } from '../kernel/mail/mail.ts'
import { proveByLink } from './prove-email.ts'
import { moveInvitations } from '../teams/index.ts'

const linkLives = 24 * 3600 // seconds

type Visit = { app: App; request: FastifyRequest; actor: Actor }
type Asked = { email: string; expires_at: string }

/**
 * Mails a link to the new address, and a notice to the present one. Whether the new address is somebody's already is said in the mail there
 * alone. A later change takes the place of the one before.
 */
export async function changeEmail({ body: { email, ...proof }, ...visit }: Visit & { body: Proof & { email: string } }): Promise<Asked> {
  const { app, request, actor } = visit
  const { at, person_id } = actor
  const spend = await requireFreshProof(visit, proof)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, changeOperation, async () => {
      await takeTry(tx, at, { key: `e-mail change of ${person_id}`, limit: 5, seconds: 3600 })
      await spend(tx)
      await withdrawSecrets(tx, person_id, ['email_change'])
      const token = await issueSecret(tx, { purpose: 'email_change', person_id, email, at, seconds: linkLives })
      const text = (await isTaken(tx, email)) ? takenText : linkText(token)
      await queueMail(tx, { to: email, subject: 'Confirm your e-mail address for Masthead', text }, at)
      const words = `Somebody who is signed in as you asked to change your e-mail address to ${email}. It changes when that is confirmed there.`
      await notifySecurity(tx, actor, emailChangeAsked, { new_email: email }, words)
      return { email, expires_at: new Date(at.getTime() + linkLives * 1000).toISOString() }
    })
  )
}

const linkText = (token: string) =>
  [
    'This address is to become the e-mail address of a Masthead account. Confirm it here, within a day:',
    `{console}/confirm-email?token=${token}`,
    'The link works once. If this was not you, ignore this e-mail.',
  ].join('\n\n')

const takenText = [
  'Somebody asked to make this address the e-mail address of their Masthead account, but there is an account with it already.',
  'If it was you: sign in to that account, or have another password for it mailed to you:\n{console}/forgot-password',
  'If this was not you, ignore this e-mail.',
].join('\n\n')

const isTaken = async (db: Db, email: string) =>
  (await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirst()) !== undefined

/** Takes back a change that is not confirmed yet: its link is worth nothing. */
export async function removeEmailChange(tx: Tx, { person_id }: Actor): Promise<void> {
  await withdrawSecrets(tx, person_id, ['email_change'])
}

/** Makes the new address the person's, by the link that came there; or shows that the present one is (proveByLink). Throws link_expired, or email_taken when somebody was faster. */
export async function confirmEmail({
  app,
  request,
  actor,
  body: { token },
}: Visit & { body: { token: string } }): Promise<{ email: string }> {
  const { at, ip } = actor
  await takeTry(app.db, at, { key: `e-mail confirmed from ${networkOf(ip)}`, limit: app.config.limits.signInPerAddress, seconds: 60 })
  const known = await findSecret(app.db, 'email_change', token, at)
  if (!known) return app.db.transaction().execute((tx) => once(tx, actor, request, confirmOperation, () => proveByLink(tx, actor, token)))
  if (!known.person_id || !known.email) throw new Problem(linkExpired)
  const { person_id, email } = known
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, confirmOperation, async () => {
      if (!(await spendSecret(tx, 'email_change', token, at))) throw new Problem(linkExpired)
      if (await isTaken(tx, email)) throw new Problem(emailTaken)
      const { email: old_email, email_proven_at } = await tx
        .selectFrom('person')
        .select(['email', 'email_proven_at'])
        .where('id', '=', person_id)
        .executeTakeFirstOrThrow()
      const proves = linksProve(app.config)
      // Teams are locked before people.
      if (email_proven_at) await moveInvitations(tx, { ...actor, email, person_id }, old_email, email)
      const { numUpdatedRows } = await tx
        .updateTable('person')
        .set({ email, email_proven_at: proves ? at : null, email_proven_by: proves ? 'mail' : null })
        .where('id', '=', person_id)
        .where('email', '=', old_email)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new Problem(linkExpired)
      // Links to set a password that went to the old address are worth nothing now.
      await withdrawSecrets(tx, person_id, ['password_reset', 'email_proof'])
      await notifySecurity(tx, { ...actor, email, person_id }, emailChanged, { old_email, new_email: email })
      const words = `The e-mail address of your Masthead account is ${email} now. This address no longer signs in.`
      await queueMail(tx, { to: old_email, subject: 'The security of your Masthead account', text: noticeOf(words, actor) }, at)
      return { email }
    })
  )
}
