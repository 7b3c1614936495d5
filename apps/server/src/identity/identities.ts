import { identityUnlinked } from '@masthead/contract/auth/events'
import type { listIdentities as listOperation } from '@masthead/contract/auth/operations'
import { lastWayIn } from '@masthead/contract/auth/problems'
import type { Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'

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

/** Takes an identity its right to sign in, and ends the sessions it vouched for but the one that asks. Throws last_way_in. */
export async function deleteIdentity(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { person_id } = actor
  // Two at once must not remove the last two.
  const person = await tx.selectFrom('person').select('account_id').where('id', '=', person_id).forUpdate().executeTakeFirst()
  const rows = await tx.selectFrom('identity').select(['id', 'issuer', 'email']).where('person_id', '=', person_id).execute()
  const found = rows.find((row) => row.id === id)
  if (!person || !found) throw new Problem(notFound)
  if (rows.length === 1 && !(await hasOtherWay(tx, person_id))) throw new Problem(lastWayIn)
  await tx.deleteFrom('identity').where('id', '=', id).where('person_id', '=', person_id).execute()
  await tx
    .deleteFrom('session')
    .using('session_identity')
    .whereRef('session.id', '=', 'session_identity.session_id')
    .where('session_identity.issuer', '=', found.issuer)
    .where('session.person_id', '=', person_id)
    .where('session.id', '<>', actor.session_id ?? '')
    .execute()
  await record(tx, { ...actor, account_id: person.account_id }, identityUnlinked, {
    provider: new URL(found.issuer).host,
    email: found.email,
  })
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
