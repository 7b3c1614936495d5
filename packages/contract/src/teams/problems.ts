import { problem } from '../kernel/problem.ts'
import { mostMembers } from './team.ts'

export const ownAccount = problem({ code: 'own_account', status: 409, title: 'The owner of an account is not a member of its team' })
export const ownMembership = problem({ code: 'own_membership', status: 409, title: 'You cannot change your own permissions' })
export const grantTooWide = problem({ code: 'grant_too_wide', status: 403, title: 'You cannot grant permissions that you do not have' })
export const memberMayMore = problem({ code: 'member_may_more', status: 403, title: 'This member has permissions that you do not have' })
export const alreadyMember = problem({ code: 'already_member', status: 409, title: 'You are a member of this team already' })
export const invitationMissing = problem({
  code: 'invitation_missing',
  status: 404,
  title: 'This invitation does not exist. It may have been answered or revoked',
})
export const invitationExpired = problem({ code: 'invitation_expired', status: 409, title: 'This invitation has expired' })
export const ownFactorMissing = problem({
  code: 'own_factor_missing',
  status: 409,
  title: 'Set up a second factor of your own first: an authenticator app or a passkey',
})
export const emailNotVerified = problem({
  code: 'email_not_verified',
  status: 403,
  title: 'This e-mail address is not confirmed, so you cannot accept an invitation that was sent to it',
})
export const mailIsSent = problem({
  code: 'mail_is_sent',
  status: 409,
  title: 'Invitations are sent by e-mail here, with the link in them. Send the invitation again',
})
export const teamFull = problem({
  code: 'team_full',
  status: 409,
  title: `A team has at most ${mostMembers} members, invitations among them`,
})
/** Deleting it would leave somebody who sees nothing, or who would have to see everything. */
export const tagLimitsMembers = problem({
  code: 'tag_limits_members',
  status: 409,
  title: 'Members of the team are limited to this tag alone',
})
