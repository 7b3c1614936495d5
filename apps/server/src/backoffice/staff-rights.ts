import { sql } from 'kysely'
import { lastStaffManager, ownAccount, staffMayMore } from '@masthead/contract/backoffice/problems'
import { whyNotOnStaff } from '@masthead/contract/backoffice/staff-rules'
import { isStaffPermission, type StaffPermission } from '@masthead/contract/kernel/permission'
import { backofficeTokenNeeded, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../kernel/app.ts'

/** Who is staff, and what is done to their accounts, changes one after the other: two who take it from each other at once do not both succeed. */
export const lockStaff = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('masthead.staff'))`.execute(tx)

/** What a person may do as staff. */
export async function staffPermissionsOf(db: Db, by: { id: string } | { account_id: string }): Promise<StaffPermission[]> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['account_id', by.account_id] as const)
  const person = await db.selectFrom('person').select('permissions').where(column, '=', value).executeTakeFirst()
  return (person?.permissions ?? []).filter(isStaffPermission)
}

/**
 * Whether the actor may act on the account of another, as things stand while nobody changes them: what the two may do is read under the lock,
 * which comes before any other of the transaction. Answers both. Throws staff_own_account, staff_may_more, backoffice_token_needed.
 */
export async function needStaffRights(tx: Tx, actor: Actor, account: { id: string; email: string }, words?: string) {
  await lockStaff(tx)
  if (account.id === actor.account_id) throw new Problem(ownAccount, words)
  const now = await staffPermissionsOf(tx, { id: actor.person_id })
  const own = actor.staff.filter((name) => now.includes(name))
  if (!own.includes('backoffice')) throw new Problem(backofficeTokenNeeded)
  const permissions = await staffPermissionsOf(tx, { account_id: account.id })
  const refused = whyNotOnStaff(own, { email: account.email, permissions })
  if (refused) throw new Problem(staffMayMore, refused)
  return { own, permissions }
}

/** Does what may take `manage_staff` from somebody, unless nobody would be left who can use it. Throws last_staff_manager. */
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
