import { identityLinked } from '@masthead/contract/auth/events'
import { identityTaken } from '@masthead/contract/auth/problems'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { notifySecurity } from '../factors/index.ts'
import type { Actor, App, Tx } from '../kernel/app.ts'
import type { IdentityClaims } from './identity-claims.ts'

/** Who an identity is linked to. Two sign-ins of the same identity wait for each other here, so that the first makes the link for both. */
export async function findLinked(
  tx: Tx,
  { issuer, subject, email }: IdentityClaims,
  at: Date
): Promise<{ id: string; email: string } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${issuer} ${subject}`}, 0))`.execute(tx)
  const linked = await tx
    .updateTable('identity')
    .set({ used_at: at, ...(email && { email }) })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('person_id')
    .executeTakeFirst()
  return linked && tx.selectFrom('person').select(['id', 'email']).where('id', '=', linked.person_id).executeTakeFirst()
}

/**
 * Lets an identity sign in as a person from now on; `owner` acts on their own account. They are notified by mail. Throws identity_taken when
 * the identity is somebody else's, or theirs is another one of the same provider.
 */
export async function linkIdentity(tx: Tx, { config }: Pick<App, 'config'>, owner: Actor, claims: IdentityClaims): Promise<void> {
  const { issuer, subject } = claims
  const { person_id, email, at } = owner
  const others = await tx
    .selectFrom('identity')
    .select(['person_id', 'subject'])
    .where('issuer', '=', issuer)
    .where((eb) => eb.or([eb('subject', '=', subject), eb('person_id', '=', person_id)]))
    .execute()
  if (others.some((other) => other.person_id === person_id && other.subject === subject)) return
  if (others.length > 0) throw new Problem(identityTaken)
  const known = claims.email ?? email
  await tx
    .insertInto('identity')
    .values({ id: newId('identity', at.getTime()), issuer, subject, person_id, email: known, linked_at: at, used_at: at })
    .execute()
  const name = config.integrations.identity?.name ?? ''
  const detail = { provider: new URL(issuer).host, email: known }
  await notifySecurity(tx, owner, identityLinked, detail, `${name} now signs you in as ${known}.`)
}
