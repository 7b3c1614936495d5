import * as z from 'zod/mini'
import { tagUnknown } from '../assets/problems.ts'
import { codeWrong, credentialsWrong, passkeyRefused } from '../auth/problems.ts'
import { proofFields } from '../auth/proof.ts'
import { Email } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, tooManyRequests } from '../kernel/problem.ts'
import * as problems from './problems.ts'
import { Granted, Invitation, Membership, Team } from './team.ts'

const { grantTooWide, memberMayMore, ownAccount, ownMembership } = problems
const refused = [grantTooWide, memberMayMore, ownAccount, ownMembership]

/** Members and invitations of the account being acted on, by e-mail (at most 200 together). */
export const getTeam = operation({
  name: 'teams.getTeam',
  method: 'GET',
  path: '/tenancy/team',
  summary: 'Members of the team and invitations to it',
  access: 'profile.view',
  reply: Team,
})

/** Invites somebody, or replaces what an invitation or a membership grants. `tags` left out stay as they are; of a new invitation they are none. */
export const updateInvitation = operation({
  name: 'teams.updateInvitation',
  method: 'PATCH',
  path: '/tenancy/invitation',
  summary: 'Invite somebody to the team, or replace the permissions of a member',
  access: 'profile.edit',
  body: z.object({
    email: Email,
    permissions: Granted,
    /** Ids or names; an empty list: all assets are seen. */
    tags: z.optional(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100, 'Choose at most 100 tags'))),
  }),
  reply: z.object({ email: z.string(), state: z.enum(['invited', 'member']), permissions: z.array(z.string()), tags: z.array(z.string()) }),
  problems: [...refused, problems.teamFull, tagUnknown, tooManyRequests],
})

export const resendInvitation = operation({
  name: 'teams.resendInvitation',
  method: 'POST',
  path: '/tenancy/resend_invitation',
  summary: 'Send an invitation again; it is valid for seven days from then on',
  access: 'profile.edit',
  body: z.object({ email: Email }),
  reply: z.object({ email: z.string(), expires_at: z.iso.datetime() }),
  problems: [...refused, problems.invitationMissing, tooManyRequests],
})

/** Where no mail is sent: a link to hand over, shown this once. It takes the place of the one before, and opens this one invitation. */
export const makeInvitationLink = operation({
  name: 'teams.makeInvitationLink',
  method: 'POST',
  path: '/tenancy/invitation_link',
  summary: 'Create the link to accept an invitation with, where no e-mail is sent',
  access: 'profile.edit',
  body: z.object({ email: Email }),
  reply: z.object({ email: z.string(), url: z.string(), expires_at: z.iso.datetime() }),
  problems: [...refused, problems.invitationMissing, problems.invitationExpired, problems.mailIsSent],
  encryptsReply: true,
})

export const deleteInvitation = operation({
  name: 'teams.deleteInvitation',
  method: 'DELETE',
  path: '/tenancy/invitation/{invited_email}',
  summary: 'Revoke an invitation',
  access: 'profile.edit',
  problems: [memberMayMore, notFound],
})

export const removeMember = operation({
  name: 'teams.removeMember',
  method: 'DELETE',
  path: '/tenancy/team_member/{member_email}',
  summary: 'Remove a member from the team',
  access: 'profile.edit',
  problems: [memberMayMore, ownAccount, ownMembership, notFound],
})

/** The owner's alone. Who lacks a factor is answered `second_factor_demanded` by every call on the account, from the next one on. */
export const demandSecondFactor = operation({
  name: 'teams.demandSecondFactor',
  method: 'POST',
  path: '/tenancy/second_factor',
  summary: 'Require two-factor authentication of everybody who works on the account, or make it optional',
  access: 'profile.edit',
  keys: false,
  body: z.object({ ...proofFields, demanded: z.boolean() }),
  reply: z.object({ demanded: z.boolean() }),
  problems: [problems.ownFactorMissing, credentialsWrong, codeWrong, passkeyRefused, tooManyRequests],
})

/** Invitations waiting for an answer of the person signed in. */
export const listInvitations = operation({
  name: 'teams.listInvitations',
  method: 'GET',
  path: '/tenancy/invitations',
  summary: 'Invitations waiting for your answer',
  access: 'self',
  reply: z.object({
    items: z.array(Invitation),
    /** Whether the address is known to be theirs. If not, an invitation is accepted by its link alone. */
    email_proven: z.boolean(),
  }),
})

export const approveInvitation = operation({
  name: 'teams.approveInvitation',
  method: 'POST',
  path: '/tenancy/approve_invitation',
  summary: 'Accept an invitation and join the team',
  access: 'self',
  /** `proof` stands in the link that was mailed or handed over. It is needed where nobody has shown yet that the address is theirs. */
  body: z.object({ inviter_email: Email, proof: z.optional(z.string().check(z.maxLength(200))) }),
  /** The owner of the team, and what may be done on their account. */
  reply: z.object({ email: z.string(), permissions: z.array(z.string()) }),
  problems: [problems.alreadyMember, problems.invitationExpired, problems.invitationMissing, problems.emailNotVerified],
})

export const rejectInvitation = operation({
  name: 'teams.rejectInvitation',
  method: 'POST',
  path: '/tenancy/reject_invitation',
  summary: 'Decline an invitation',
  access: 'self',
  body: z.object({ inviter_email: Email }),
  problems: [problems.invitationMissing],
})

/** Teams that the person signed in is a member of, by name. */
export const listMemberships = operation({
  name: 'teams.listMemberships',
  method: 'GET',
  path: '/tenancy/memberships',
  summary: 'Teams you are a member of',
  access: 'self',
  reply: z.object({ items: z.array(Membership) }),
})

export const leaveTeam = operation({
  name: 'teams.leaveTeam',
  method: 'POST',
  path: '/tenancy/leave_team',
  summary: 'Leave a team',
  access: 'self',
  body: z.object({ owner_email: Email }),
  problems: [ownAccount, notFound],
})
