import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { login as loginOperation } from '@masthead/contract/auth/sign-in-operations'
import { emailUnverified, linkFirst, registrationOff } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { hasFactor } from '../../factors/index.ts'
import { checkAccessToken, endEarlierAccess, findLinked, linkIdentity, encryptIdToken, type IdentityClaims } from '../../identity/index.ts'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { hashSecret } from '../../kernel/secrets/presented-secret.ts'
import { knownDevice, setDeviceCookie, setSessionCookie } from '../sessions/cookies.ts'
import { isFirstRun, openAccount } from '../sign-in/register.ts'
import { beginSession, closeSessionsOf } from '../sessions/session.ts'
import { takeTry } from '../sign-in/tries.ts'
import { networkOf } from '../../kernel/network-of.ts'

type Call = { app: App; request: FastifyRequest; reply: FastifyReply; actor: Actor }

/**
 * Signs in whom the provider's claims name: by an earlier link, else by the e-mail address it verified, else in an account of their own. A
 * second step is the provider's to ask for. `ended`: somebody else had opened an account with the address, and keeps no way in. Throws email_unverified, registration_off, link_first or identity_taken.
 */
export async function signInByIdentity(call: Call, claims: IdentityClaims): Promise<{ email: string; ended: boolean }> {
  const { app } = call
  const device = claims.email !== null && (await knownDevice(call, claims.email)) !== null
  const { session, email, ended } = await app.db.transaction().execute(async (tx) => {
    const linked = await findLinked(tx, claims, call.actor.at)
    const person = linked ?? (await linkOrOpen(tx, call, claims, device))
    if (person.email === claims.email) await proveEmail(tx, person.id, call.actor.at)
    const opened = await beginSession(tx, call, person.id)
    const { id } = await tx.selectFrom('session').select('id').where('id_hash', '=', hashSecret(opened.secret)).executeTakeFirstOrThrow()
    const sealed_id_token = claims.id_token === null ? null : encryptIdToken(tx, id, claims.id_token)
    await tx.insertInto('session_identity').values({ session_id: id, issuer: claims.issuer, id_token: null, sealed_id_token }).execute()
    return { session: opened, email: person.email, ended: 'ended' in person && person.ended === true }
  })
  setSessionCookie(call, session)
  // Only by their own identity: whoever is sent another's access token in an address would have a browser known for that other's e-mail.
  if (email === claims.email) await setDeviceCookie(call, email)
  return { email, ended }
}

/** Signs in with an access token of the provider, as the console does with one it finds in its address (spec §5). */
export async function loginByToken(call: Call & { body: { access_token: string } }): Promise<{ email: string }> {
  const { app, request, actor, body } = call
  const { limits } = app.config
  await takeTry(app.db, actor.at, { key: `sign-in from ${networkOf(actor.ip)}`, limit: limits.signInPerAddress, seconds: 60 })
  const claims = await checkAccessToken(app, body.access_token)
  await app.db.transaction().execute((tx) => once(tx, actor, request, loginOperation, async () => ({})))
  const { email } = await signInByIdentity(call, claims)
  return { email }
}

/** Links the identity to the account with its e-mail address, or opens one. Only an address that the provider verified counts. */
async function linkOrOpen(
  tx: Tx,
  { app, actor }: Call,
  claims: IdentityClaims,
  device: boolean
): Promise<{ id: string; email: string; ended?: boolean }> {
  const { email, name } = claims
  if (email === null) throw new Problem(emailUnverified)
  // Teams are locked before people: an invitation or a key that is just being made is waited for, and ended with the others.
  await sql`select from account where id = (select account_id from person where email = ${email}) for no key update`.execute(tx)
  const found = await tx
    .selectFrom('person')
    .select(['id', 'email', 'email_proven_by', 'permissions'])
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) {
    const opens = app.config.integrations.identity?.opensAccounts || (await isFirstRun(tx))
    if (!opens) throw new Problem(registrationOff)
    const id = await openAccount(tx, actor, { email, team_name: name ?? email, password_hash: null, name })
    await linkIdentity(tx, app, await ownerOf(tx, actor, id), claims)
    return { id, email }
  }
  // Somebody may have opened the account with an address that is not theirs, and wait for its owner to come this way. Who had an account when
  // nobody was asked counts as proved for invitations, not against the provider. Of staff others have said who they are.
  const unproven = (found.email_proven_by ?? 'before') === 'before' && !device && found.permissions.length === 0
  const owner = await ownerOf(tx, actor, found.id)
  if (unproven) {
    const name = app.config.integrations.identity?.name ?? ''
    const sessions = await closeSessionsOf(tx, found.id, { at: actor.at })
    await endEarlierAccess(tx, owner, { provider: new URL(claims.issuer).host, name, sessions })
  }
  // Whoever guards an account with more than a password is not to be let in by an e-mail address alone.
  else if (await hasFactor(tx, found.id)) throw new Problem(linkFirst)
  await linkIdentity(tx, app, owner, claims)
  return { ...found, ended: unproven }
}

/** The person on their own account. */
export async function ownerOf(tx: Tx, { at, ip, request_id }: Actor, person_id: string): Promise<Actor> {
  const { email, account_id } = await tx
    .selectFrom('person')
    .select(['email', 'account_id'])
    .where('id', '=', person_id)
    .executeTakeFirstOrThrow()
  return { kind: 'member', email, person_id, account_id, permissions: 'all', staff: [], tags: [], at, ip, request_id }
}

/** The provider says that the address is theirs. */
export const proveEmail = (tx: Tx, id: string, at: Date) =>
  tx
    .updateTable('person')
    .set({ email_proven_at: at, email_proven_by: 'provider' })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('email_proven_at', 'is', null), eb('email_proven_by', '=', 'before')]))
    .execute()
