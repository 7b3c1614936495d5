import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { resetPassword as resetOperation } from '@masthead/contract/account/security-operations'
import { passwordChanged } from '@masthead/contract/auth/events'
import { linkExpired } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { closeSessionsOf, hashPassword, knownDevice, setDeviceCookie, takeTry } from '../auth/index.ts'
import { endEarlierAccess } from '../identity/index.ts'
import { networkOf } from '../kernel/network-of.ts'
import {
  checkNewPassword,
  findAuthenticator,
  findSecret,
  issueSecret,
  spendSecret,
  notifySecurity,
  withdrawSecrets,
} from '../factors/index.ts'
import type { Actor, App, Db, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { addJob, task } from '../kernel/jobs/jobs.ts'
import { linksProve, queueMail } from '../kernel/mail/mail.ts'

const linkLives = 3600 // seconds
/** Links alive at once: whoever asks in somebody's name again and again fills no mailbox, and takes no link away. */
const mostLinks = 3

/**
 * Has a link mailed. Here nobody is looked up: the same little work whether the address is somebody's or not, so neither words nor time show which.
 * Throws too_many_requests.
 */
export async function requestPasswordReset(tx: Tx, { at, ip }: Actor, email: string): Promise<void> {
  await takeTry(tx, at, { key: `password link from ${networkOf(ip)}`, limit: 20, seconds: 3600 })
  await takeTry(tx, at, { key: `password link for ${email} from ${networkOf(ip)}`, limit: 5, seconds: 3600 })
  // One job for one address, however often it is asked for meanwhile.
  const key = `password link ${createHash('sha256').update(email).digest('base64url')}`
  await addJob(tx, mailPasswordLink.name, { email }, { key })
}

/** Mails the link, where there is somebody to mail it to. */
export const mailPasswordLink = task('account.mail_password_link', async ({ db, clock }: App, { email }: { email: string }) => {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const person = await tx.selectFrom('person').select('id').where('email', '=', email).forNoKeyUpdate().executeTakeFirst()
    if (!person || (await countLinks(tx, person.id, at)) >= mostLinks) return
    const token = await issueSecret(tx, { purpose: 'password_reset', person_id: person.id, at, seconds: linkLives })
    await queueMail(tx, { to: email, subject: 'Set a new password for Masthead', text: linkText(token) }, at)
  })
})

const linkText = (token: string) =>
  [
    'Somebody, probably you, asked for a new password for this e-mail address. Set it here, within an hour:',
    `{console}/reset-password?token=${token}`,
    'The link works once. If it was not you, ignore this e-mail: your password stays as it is.',
  ].join('\n\n')

async function countLinks(tx: Tx, person_id: string, at: Date): Promise<number> {
  const rows = await tx
    .selectFrom('one_time_secret')
    .select('secret_hash')
    .where('person_id', '=', person_id)
    .where('purpose', '=', 'password_reset')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()
  return rows.length
}

/** Throws link_expired. What was used is withdrawn, and so is not found. */
export async function checkPasswordLink(db: Db, { at }: Actor, token: string): Promise<void> {
  const known = await findSecret(db, 'password_reset', token, at)
  if (!known?.person_id) throw new Problem(linkExpired)
}

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor; body: { token: string; password: string } }

/**
 * Sets the password of whoever got the link. Every session ends; signing in again asks for the second factor as ever, and works from this
 * browser however many strangers fail at it meanwhile. Where nobody had shown that the address is theirs, somebody else may have opened the
 * account with it: then all else that could act for it ends, too. Throws link_expired.
 */
export async function resetPassword({ app, request, reply, actor, body: { token, password } }: Call): Promise<void> {
  const { at, ip } = actor
  await takeTry(app.db, at, { key: `password set from ${networkOf(ip)}`, limit: app.config.limits.signInPerAddress, seconds: 60 })
  const known = await findSecret(app.db, 'password_reset', token, at)
  if (!known?.person_id) throw new Problem(linkExpired)
  const person_id = known.person_id
  const { email } = await app.db.selectFrom('person').select('email').where('id', '=', person_id).executeTakeFirstOrThrow()
  await checkNewPassword(password, email, 'password')
  const password_hash = await hashPassword(password)
  const isKnown = (await knownDevice({ app, request }, email)) !== null
  let isKeptOut = true
  await app.db.transaction().execute((tx) =>
    once(tx, actor, request, resetOperation, async () => {
      if (!(await spendSecret(tx, 'password_reset', token, at))) throw new Problem(linkExpired)
      const { account_id, isTheirs } = await findOpened(tx, person_id, isKnown)
      // An app that others set up keeps them out, and whoever got the link: so does it keep the address from being shown to be theirs.
      isKeptOut = !isTheirs && (await findAuthenticator(tx, person_id)) !== null
      const proves = linksProve(app.config) && !isKeptOut
      const sessions = await closeSessionsOf(tx, person_id, { at })
      if (proves && !isTheirs) {
        const owner: Actor = { ...actor, kind: 'member', email, person_id, account_id, permissions: 'all' }
        await endEarlierAccess(tx, owner, { provider: null, name: 'a link that was mailed to you', sessions })
      }
      await tx
        .updateTable('person')
        .set({ password_hash, ...(proves && { email_proven_at: at, email_proven_by: 'mail' }) })
        .where('id', '=', person_id)
        .execute()
      await withdrawSecrets(tx, person_id, ['password_reset', 'second_step', 'email_change'])
      const words = 'A new password was set by a link that was mailed to you. Every session was signed out.'
      await notifySecurity(tx, { ...actor, email, person_id }, passwordChanged, { by_mail: true }, words)
      return {}
    })
  )
  // Nobody can sign in here yet. Were the browser known, nothing of others would end once they come by another link, or by a provider.
  if (!isKeptOut) await setDeviceCookie({ app, request, reply }, email)
}

/**
 * The account of a person, locked, and whether it is known to be of whoever has their address: that was shown before, or they signed in from this
 * browser. Of staff others have said who they are.
 */
async function findOpened(tx: Tx, person_id: string, isKnown: boolean): Promise<{ account_id: string; isTheirs: boolean }> {
  // Teams are locked before people.
  const { account_id } = await tx.selectFrom('person').select('account_id').where('id', '=', person_id).executeTakeFirstOrThrow()
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const person = await tx
    .selectFrom('person')
    .select(['email_proven_at', 'permissions'])
    .where('id', '=', person_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { account_id, isTheirs: isKnown || person.email_proven_at !== null || person.permissions.length > 0 }
}
