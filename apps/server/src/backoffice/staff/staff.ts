import { sql } from 'kysely'
import { staffGranted, staffRevoked } from '@masthead/contract/backoffice/events'
import { updateStaff as updateOperation, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { lastStaffManager, ownAccount, personUnknown, staffMayMore, staffPermissionNotYours } from '@masthead/contract/backoffice/problems'
import { memberWords, whyNotGrant, whyNotOnStaff } from '@masthead/contract/backoffice/staff-rules'
import { isStaff, isStaffPermission, type StaffPermission } from '@masthead/contract/kernel/permission'
import { backofficeTokenNeeded, forbidden, Problem } from '@masthead/contract/kernel/problem'
import { endStays } from '../../auth/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { getAccountOf, getCustomer, isForOthers } from '../accounts/accounts.ts'
import { recordStaff } from './staff-log.ts'

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
  const line = { account: { id: person.account_id, email }, before: { permissions: person.permissions }, after: { permissions } }
  if (permissions.length > 0) await recordStaff(tx, actor, staffGranted, { email, permissions: [...permissions] }, line)
  else await recordStaff(tx, actor, staffRevoked, { email }, line)
}

type Wanted = { permissions: readonly StaffPermission[]; reason: string }

/**
 * The same by staff in the backoffice. Throws not_found, forbidden, staff_own_account, staff_may_more, staff_permission_not_yours,
 * last_staff_manager.
 */
export async function updateStaff(tx: Tx, actor: Actor, email: string, { permissions, reason }: Wanted): Promise<CustomerDetails> {
  const account = await getAccountOf(tx, email)
  const { own, permissions: before } = await needStaffRights(tx, actor, account)
  if (!own.includes(updateOperation.access)) throw new Problem(forbidden)
  const wanted = [...new Set(permissions)]
  const refused = whyNotGrant(own, before, wanted)
  if (refused) throw new Problem(staffPermissionNotYours, refused)
  if (before.length !== wanted.length || before.some((name) => !wanted.includes(name))) {
    await keepManager(tx, () => setPermissions(tx, actor, account.email, wanted))
    const line = { account, reason, before: { permissions: before }, after: { permissions: wanted } }
    if (wanted.length > 0) await recordStaff(tx, actor, staffGranted, { email: account.email, permissions: wanted }, line)
    else await recordStaff(tx, actor, staffRevoked, { email: account.email }, line)
  }
  return getCustomer(tx, actor, account.id)
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
  if (!isStaff(permissions)) await endStays(tx, { person_id: id }, at)
  // Their consoles come back at once, with what they may now; a customer's console that they look at ends with the right to it.
  await endStreams(tx, { person_id: id })
}

/** Who is staff, and what is done to their accounts, changes one after the other: two who take it from each other at once do not both succeed. */
export const lockStaff = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('masthead.staff'))`.execute(tx)

/** What a person may do as staff. */
export async function staffPermissionsOf(db: Db, by: { id: string } | { account_id: string }): Promise<StaffPermission[]> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['account_id', by.account_id] as const)
  const person = await db.selectFrom('person').select('permissions').where(column, '=', value).executeTakeFirst()
  return (person?.permissions ?? []).filter(isStaffPermission)
}

type OfAccount = { id: string; email: string }

/**
 * Whether the actor may act on the account of another, as things stand while nobody changes them: what the two may do is read under the lock,
 * which comes before any other of the transaction. Answers both. Throws staff_own_account, staff_may_more, backoffice_token_needed.
 */
export async function needStaffRights(tx: Tx, actor: Actor, account: OfAccount, words?: string) {
  await lockStaff(tx)
  if (account.id === actor.account_id) throw new Problem(ownAccount, words)
  const { refused, ...both } = await compareRights(tx, actor, account)
  if (refused) throw refused
  return both
}

/**
 * The same for what an account has: SIMs, usage, stock. To their own account staff may do it only while nobody else is staff who could: else they
 * would give themselves things, or take usage away, where a colleague can look at it. Throws staff_own_account, staff_may_more, backoffice_token_needed.
 */
export async function needRightsOnThings(tx: Tx, actor: Actor, account: OfAccount): Promise<void> {
  await lockStaff(tx)
  const refused = await whyNotOnThings(tx, actor, account)
  if (refused) throw refused
}

/** Why the actor may not change what an account has, as things stand now; null: they may. */
export async function whyNotOnThings(db: Db, actor: Actor, account: OfAccount): Promise<Problem | null> {
  if (account.id !== actor.account_id) return (await compareRights(db, actor, account)).refused
  return (await hasColleagues(db, account.id)) ? new Problem(ownAccount) : null
}

async function compareRights(db: Db, actor: Actor, account: OfAccount) {
  const now = await staffPermissionsOf(db, { id: actor.person_id })
  const own = actor.staff.filter((name) => now.includes(name))
  const permissions = await staffPermissionsOf(db, { account_id: account.id })
  const words = whyNotOnStaff(own, { email: account.email, permissions })
  const isMember = isStaff(own) && !words && (await isForOthers(db, actor, account.id))
  const member = isMember ? new Problem(ownAccount, memberWords) : null
  const refused = !isStaff(own) ? new Problem(backofficeTokenNeeded) : words ? new Problem(staffMayMore, words) : member
  return { own, permissions, refused }
}

/** Whether somebody else is staff whose account is in service. */
async function hasColleagues(db: Db, account_id: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from person join account on account.id = person.account_id
    where 'backoffice' = any(person.permissions) and account.suspended_at is null and account.id <> ${account_id}) as has`.execute(db)
  return rows[0]!.has
}

/** Does what may take `manage_staff` from somebody, under `lockStaff`, unless nobody would be left who can use it. Throws last_staff_manager. */
export async function keepManager(tx: Tx, change: () => Promise<unknown>): Promise<void> {
  const before = await isManaged(tx)
  await change()
  if (before && !(await isManaged(tx))) throw new Problem(lastStaffManager)
}

/** Whether somebody manages staff whose account is in service. */
async function isManaged(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (select from person join account on account.id = person.account_id
    where person.permissions @> '{backoffice,manage_staff}' and account.suspended_at is null) as is`.execute(tx)
  return rows[0]!.is
}
