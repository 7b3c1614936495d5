import type { Operation } from '@masthead/contract/kernel/operation'
import { isPermission, isStaffPermission, type Permission, type StaffPermission } from '@masthead/contract/kernel/permission'

/** The part of the user info that permissions are read from. */
export type Permitted = {
  permissions: string[]
  groups: string[]
  acting_as: string | null
  member_of: { email: string; permissions: string[] }[]
}

/** What the membership of the account being acted on grants; null when not acting as anyone. */
export const grantedPermissions = (user: Permitted): string[] | null =>
  user.acting_as === null ? null : (user.member_of.find((team) => team.email === user.acting_as)?.permissions ?? [])

/**
 * spec §6: an owner passes every check; acting on a team's account, only what that membership grants.
 * Staff permissions are the user's own, and there are none while acting as a team account.
 */
export function mayUser(user: Permitted | null, permission: string): boolean {
  if (!user) return false
  const granted = grantedPermissions(user)
  if (isStaffPermission(permission)) return granted === null && user.permissions.includes(permission)
  return granted === null || granted.includes(permission)
}

/** The permission that somebody would need to call an operation and has not; null when they may call it. */
export function lacking(user: Permitted | null, { access }: Pick<Operation, 'access'>): Permission | StaffPermission | null {
  return (isPermission(access) || isStaffPermission(access)) && !mayUser(user, access) ? access : null
}

/** All of the groups must be present, given as one or as a list (spec §6). */
export const inGroups = (user: Permitted, groups: string | readonly string[]): boolean =>
  [groups].flat().every((group) => user.groups.includes(group))
