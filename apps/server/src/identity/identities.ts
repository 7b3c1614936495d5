import { identityUnlinked } from '@masthead/contract/auth/events'
import type { listIdentities as listOperation } from '@masthead/contract/auth/sign-in-operations'
import { identityOther, lastWayIn } from '@masthead/contract/auth/problems'
import type { Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { notifySecurity } from '../factors/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { endStreams } from '../kernel/live/streams.ts'
import type { IdentityClaims } from './identity-claims.ts'

/** The identities somebody may sign in with, oldest first. They are the person's own, whatever account is acted on. */
export async function listIdentities(db: Db, { person_id }: Actor): Promise<Reply<typeof listOperation>> {
  const rows = await db
    .selectFrom('identity')
    .select(['id', 'email', 'linked_at', 'used_at'])
    .where('person_id', '=', person_id)
    .orderBy('id')
    .execute()
  const last_way_in = rows.length === 1 && !(await hasOtherWay(db, person_id))
  return {
    items: rows.map((row) => ({ ...row, linked_at: row.linked_at.toISOString(), used_at: row.used_at.toISOString(), last_way_in })),
  }
}

/** Throws not_found, or last_way_in where nothing else would let the person in. */
export async function checkUnlinkable(db: Db, { person_id }: Actor, id: string): Promise<{ issuer: string; email: string }> {
  const rows = await db.selectFrom('identity').select(['id', 'issuer', 'email']).where('person_id', '=', person_id).execute()
  const found = rows.find((row) => row.id === id)
  if (!found) throw new Problem(notFound)
  if (rows.length === 1 && !(await hasOtherWay(db, person_id))) throw new Problem(lastWayIn)
  return found
}

/** Takes an identity its right to sign in, and ends the sessions that began by it but the one that asks. Throws not_found, last_way_in. */
export async function unlinkIdentity(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { person_id } = actor
  // Two at once must not remove the last two.
  await tx.selectFrom('person').select('id').where('id', '=', person_id).forUpdate().execute()
  const { issuer, email } = await checkUnlinkable(tx, actor, id)
  await tx.deleteFrom('identity').where('id', '=', id).where('person_id', '=', person_id).execute()
  const ended = await tx
    .deleteFrom('session')
    .using('session_identity')
    .whereRef('session.id', '=', 'session_identity.session_id')
    .where('session_identity.issuer', '=', issuer)
    .where('session.person_id', '=', person_id)
    .where('session.id', '<>', actor.session_id ?? '')
    .returning('session.id as session_id')
    .execute()
  for (const { session_id } of ended) await endStreams(tx, { person_id, session_id })
  const provider = new URL(issuer).host
  await notifySecurity(tx, actor, identityUnlinked, { provider, email }, `${provider} no longer signs you in as ${email}.`)
}

/** The provider just signed somebody in anew: in this session that counts as a proof, once. Throws identity_other. */
export async function recordProviderProof(tx: Tx, { person_id, session_id, at }: Actor, claims: IdentityClaims): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ vouched_at: at, vouched_spent: false })
    .where('id', '=', session_id ?? '')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('identity')
          .select('id')
          .where('issuer', '=', claims.issuer)
          .where('subject', '=', claims.subject)
          .where('person_id', '=', person_id)
      )
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Problem(identityOther)
}

/** A password or a passkey. */
async function hasOtherWay(db: Db, person_id: string): Promise<boolean> {
  const found = await db
    .selectFrom('person')
    .leftJoin('passkey', 'passkey.person_id', 'person.id')
    .select('person.id')
    .where('person.id', '=', person_id)
    .where((eb) => eb.or([eb('person.password_hash', 'is not', null), eb('passkey.id', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether somebody can sign in by anything. */
export const hasWayIn = async (db: Db, person_id: string): Promise<boolean> =>
  (await hasOtherWay(db, person_id)) ||
  (await db.selectFrom('identity').select('id').where('person_id', '=', person_id).limit(1).executeTakeFirst()) !== undefined
