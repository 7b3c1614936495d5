import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import { Problem } from '@masthead/contract/kernel/problem'
import { grantTooWide, memberMayMore, ownAccount, ownMembership } from '@masthead/contract/teams/problems'
import { permissionNames } from '@masthead/contract/teams/team'
import type { Actor } from '../kernel/app.ts'
import type { Owner, Rights } from './team-queries.ts'

/** The permissions that somebody may give to others: their own. */
export const grantable = ({ permissions: own }: Rights): Permission[] =>
  own === 'all' ? permissionNames : permissionNames.filter((name) => own.includes(name))

const beyond = (rights: Rights, granted: Rights) =>
  grantable(granted).filter((name) => rights.permissions !== 'all' && !rights.permissions.includes(name))

/** Everything of `granted` is within `rights`. */
export const covers = (rights: Rights, granted: Rights) => beyond(rights, granted).length === 0 && coversTags(rights.tags, granted.tags)

/** Whether who is limited to some tags (none: not limited) sees all that others see by theirs. */
export const coversTags = (own: readonly string[], granted: readonly string[]) =>
  own.length === 0 || (granted.length > 0 && granted.every((id) => own.includes(id)))

/** Nobody gives what they do not have. Throws grant_too_wide with the words of what is missing. */
export function refuseWideGrant(rights: Rights, granted: Rights) {
  const missing = beyond(rights, granted)
  if (missing.length > 0) {
    const words = missing.map((name) => permissions[name].toLowerCase()).join(', ')
    throw new Problem(grantTooWide, `You cannot grant permissions that you do not have: ${words}`)
  }
  if (!coversTags(rights.tags, granted.tags)) {
    throw new Problem(grantTooWide, 'You see the assets of some tags alone, so choose among these tags what they see')
  }
}

/** Nobody changes who may more than they do. */
export function refuseStrongerMember(rights: Rights, member: Rights & { email: string }) {
  const words = fixedWords(rights, member)
  if (words) throw new Problem(memberMayMore, words)
}

/** Why somebody with these rights cannot change or remove a member or an invitation, in words. */
export const fixedWords = (rights: Rights, { email, ...member }: Rights & { email: string }): string | null =>
  covers(rights, member) ? null : `${email} may do more here than you, so only the owner or somebody who may as much can change that`

/** The owner is no member, and nobody is their own administrator. */
export function refuseOwnRow(actor: Actor, owner: Owner, email: string) {
  if (email === owner.email) {
    throw new Problem(
      ownAccount,
      actor.email === email
        ? 'This is your own account: you may do everything on it already'
        : `${email} owns this account and may do everything on it`
    )
  }
  if (email === actor.email) {
    throw new Problem(ownMembership, 'What you may do here can be changed by the owner and by other members, not by yourself')
  }
}
