import { ownAccount } from './problems.ts'
import { isStaffPermission, staffPermissions } from '../kernel/permission.ts'

const inWords = (names: readonly string[]) =>
  names.map((name) => (isStaffPermission(name) ? `“${staffPermissions[name]}”` : name)).join(', ')

/** Whose account it is, and what they may do as staff; nothing for a customer. */
type Owner = { email: string; permissions: readonly string[] }
/** `for_others`: whoever looks is a member of it, and somebody is staff who is not. */
type Account = Owner & { for_others: boolean }

/** Why staff may not act on an account that is `for_others`. */
export const memberWords = 'You are a member of this account: another member of staff has to do this'

/**
 * Why staff with the permissions `own` may not suspend, resume, look into or change the account of somebody who is staff, in words; null: they
 * may. A customer's account is open to everybody in the backoffice.
 */
export function whyNotOnStaff(own: readonly string[], { email, permissions }: Owner): string | null {
  if (permissions.length === 0) return null
  if (!own.includes('manage_staff')) return `${email} is staff: for this you need the permission “${staffPermissions.manage_staff}”`
  const more = permissions.filter((name) => !own.includes(name))
  return more.length > 0
    ? `${email} has staff permissions that you do not have: ${inWords(more)}. Somebody who has them must do this`
    : null
}

/** Why `me` may not do what staff do to an account and what it has: nobody does it to their own. `me` null: not known yet. */
export const whyNotOnAccount = (me: Owner | null, account: Account): string | null =>
  me?.email === account.email
    ? ownAccount.title
    : (whyNotOnStaff(me?.permissions ?? [], account) ?? (account.for_others ? memberWords : null))

/** Why staff with the permissions `own` may not say what somebody may do as staff. */
export const whyNotManage = (own: readonly string[], account: Account): string | null =>
  own.includes('manage_staff')
    ? (whyNotOnStaff(own, account) ?? (account.for_others ? memberWords : null))
    : `You need the permission “${staffPermissions.manage_staff}” for this`

/** Why they may not give these permissions to somebody who has `permissions`: nobody gives what they do not hold. */
export function whyNotGrant(own: readonly string[], permissions: readonly string[], wanted: readonly string[]): string | null {
  const beyond = wanted.filter((name) => !permissions.includes(name) && !own.includes(name))
  return beyond.length > 0 ? `You can grant only permissions that you have yourself, and not ${inWords(beyond)}` : null
}
