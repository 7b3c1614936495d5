import { sql } from 'kysely'
import { staffGranted, staffRevoked } from '@masthead/contract/backoffice/events'
import type { CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { personUnknown, staffPermissionNotYours } from '@masthead/contract/backoffice/problems'
import { whyNotGrant } from '@masthead/contract/backoffice/staff-rules'
import type { StaffPermission } from '@masthead/contract/kernel/permission'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { endStays } from '../auth/index.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { endStreams } from '../kernel/streams.ts'
import { getAccountOf, getCustomer } from './accounts.ts'
import { recordStaff } from './staff-log.ts'
import { keepManager, lockStaff, needStaffRights } from './staff-rights.ts'

/** `leaveNone`: also where nobody manages staff any more. */
type Options = { leaveNone?: boolean }

/** Makes somebody staff with exactly these permissions (with none: staff no more), at the machine. Throws person_unknown, last_staff_manager. */
export async function grantStaff(
  tx: Tx,
  actor: Actor,
  email: string,
  permissions: readonly StaffPermission[],
  { leaveNone = false }: Options = {}
): Promise<void> {
  await lockStaff(tx)
  const person = await tx.selectFrom('person').select(['account_id', 'permissions']).where('email', '=', email).executeTakeFirst()
  if (!person) throw new Problem(personUnknown, `Nobody is registered with the e-mail ${email}`)
  const change = () => setPermissions(tx, actor, email, permissions)
  await (leaveNone ? change() : keepManager(tx, change))
  const told = { account: { id: person.account_id, email }, before: { permissions: person.permissions }, after: { permissions } }
  if (permissions.length > 0) await recordStaff(tx, actor, staffGranted, { email, permissions: [...permissions] }, told)
  else await recordStaff(tx, actor, staffRevoked, { email }, told)
}

type Wanted = { permissions: readonly StaffPermission[]; reason: string }

/**
 * The same by staff in the backoffice. Throws not_found, forbidden, staff_own_account, staff_may_more, staff_permission_not_yours,
 * last_staff_manager.
 */
export async function updateStaff(tx: Tx, actor: Actor, email: string, { permissions, reason }: Wanted): Promise<CustomerDetails> {
  const account = await getAccountOf(tx, email)
  const { own, permissions: before } = await needStaffRights(tx, actor, account)
  if (!own.includes('manage_staff')) throw new Problem(forbidden)
  const wanted = [...new Set(permissions)]
  const refused = whyNotGrant(own, before, wanted)
  if (refused) throw new Problem(staffPermissionNotYours, refused)
  if (before.length !== wanted.length || before.some((name) => !wanted.includes(name))) {
    await keepManager(tx, () => setPermissions(tx, actor, account.email, wanted))
    const told = { account, reason, before: { permissions: before }, after: { permissions: wanted } }
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

/** What they still hold in their hands is worth no more than this from now on; without the backoffice they are out of it. */
async function setPermissions(tx: Tx, { at }: Actor, email: string, permissions: readonly StaffPermission[]) {
  const { id } = await tx
    .updateTable('person')
    .set({ permissions: [...permissions] })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!permissions.includes('backoffice')) await endStays(tx, { person_id: id }, at)
  // Their consoles come back at once, with what they may now; a customer's console that they look at ends with the right to it.
  await endStreams(tx, { person_id: id })
}
