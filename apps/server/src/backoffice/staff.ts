import { sql } from 'kysely'
import { staffGranted, staffRevoked } from '@masthead/contract/backoffice/events'
import { personUnknown } from '@masthead/contract/backoffice/problems'
import type { StaffPermission } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { recordStaff } from './staff-log.ts'

/** Makes somebody staff with exactly these permissions. Throws person_unknown. */
export async function grantStaff(tx: Tx, actor: Actor, email: string, permissions: readonly StaffPermission[]): Promise<void> {
  const { account_id } = await setPermissions(tx, email, permissions)
  const told = { account: { id: account_id, email }, after: { permissions } }
  await recordStaff(tx, actor, staffGranted, { email, permissions: [...permissions] }, told)
}

/** Somebody is staff no more, and out of the backoffice at once. Throws person_unknown. */
export async function revokeStaff(tx: Tx, actor: Actor, email: string): Promise<void> {
  const { id, account_id } = await setPermissions(tx, email, [])
  await tx.updateTable('backoffice_stay').set({ ended_at: actor.at }).where('person_id', '=', id).where('ended_at', 'is', null).execute()
  await recordStaff(tx, actor, staffRevoked, { email }, { account: { id: account_id, email }, after: { permissions: [] } })
}

/** Everybody with a staff permission. */
export const listStaff = (db: Db) =>
  db
    .selectFrom('person')
    .select(['email', 'permissions'])
    .where(sql<boolean>`cardinality(permissions) > 0`)
    .orderBy('email')
    .execute()

async function setPermissions(tx: Tx, email: string, permissions: readonly StaffPermission[]) {
  const person = await tx
    .updateTable('person')
    .set({ permissions: [...permissions] })
    .where('email', '=', email)
    .returning(['id', 'account_id'])
    .executeTakeFirst()
  if (!person) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  return person
}
