import { sql } from 'kysely'
import { staffGranted, staffRevoked } from '@masthead/contract/backoffice/events'
import type { CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { ownAccount, personUnknown, staffPermissionNotYours } from '@masthead/contract/backoffice/problems'
import type { StaffPermission } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import { endStays } from '../auth/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { endStreams } from '../kernel/streams.ts'
import { getAccountForUpdate, getCustomer } from './accounts.ts'
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
  await endStays(tx, { person_id: id }, actor.at)
  await recordStaff(tx, actor, staffRevoked, { email }, { account: { id: account_id, email }, after: { permissions: [] } })
}

type Wanted = { permissions: readonly StaffPermission[]; reason: string }

/** The same by staff in the backoffice. Throws not_found, staff_own_account, staff_permission_not_yours. */
export async function updateStaff(tx: Tx, actor: Actor, email: string, { permissions, reason }: Wanted): Promise<CustomerDetails> {
  const account = await getAccountForUpdate(tx, email)
  if (account.id === actor.account_id) throw new Problem(ownAccount)
  const person = await tx
    .selectFrom('person')
    .select(['id', 'permissions'])
    .where('account_id', '=', account.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const wanted = [...new Set(permissions)]
  const changed = [
    ...wanted.filter((name) => !person.permissions.includes(name)),
    ...person.permissions.filter((name) => !wanted.some((one) => one === name)),
  ]
  if (changed.some((name) => !actor.staff.some((own) => own === name))) throw new Problem(staffPermissionNotYours)
  if (changed.length > 0) {
    await setPermissions(tx, account.email, wanted)
    // What they still hold in their hands is worth no more than this; without the backoffice they are out of it at once.
    if (!wanted.includes('backoffice')) await endStays(tx, { person_id: person.id }, actor.at)
    const told = { account, reason, before: { permissions: person.permissions }, after: { permissions: wanted } }
    if (wanted.length > 0) await recordStaff(tx, actor, staffGranted, { email: account.email, permissions: wanted }, told)
    else await recordStaff(tx, actor, staffRevoked, { email: account.email }, told)
  }
  return getCustomer(tx, actor.at, account.id)
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
  // A customer's console that they look at ends with the right to it.
  if (person && !permissions.includes('backoffice')) await endStreams(tx, { person_id: person.id })
  if (!person) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  return person
}
