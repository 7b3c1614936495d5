import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const list = z.array(z.string())
/** What is granted: names of permissions, and of the tags it is limited to (null: not limited). */
const granted = { permissions: list, tags: z.nullable(list) }
const old = { old_permissions: list, old_tags: z.nullable(list) }

// On the account of the team.

export const memberInvited = event({
  name: 'teams.member_invited',
  refreshes: ['teams', 'auth'],
  detail: z.object({ added_member: z.string(), ...granted }),
  sentence: 'Invited {added_member} to the team',
})
export const invitationUpdated = event({
  name: 'teams.invitation_updated',
  refreshes: ['teams', 'auth'],
  detail: z.object({ updated_member: z.string(), ...granted, ...old }),
  sentence: 'Changed the permissions in the invitation of {updated_member}',
})
export const invitationResent = event({
  name: 'teams.invitation_resent',
  refreshes: ['teams', 'auth'],
  detail: z.object({ added_member: z.string() }),
  sentence: 'Sent the invitation of {added_member} again',
})
export const invitationLinkMade = event({
  name: 'teams.invitation_link_made',
  refreshes: ['teams', 'auth'],
  detail: z.object({ added_member: z.string() }),
  sentence: 'Created an invitation link for {added_member}',
})
export const invitationRevoked = event({
  name: 'teams.invitation_revoked',
  refreshes: ['teams', 'auth'],
  detail: z.object({ removed_member: z.string() }),
  sentence: 'Revoked the invitation of {removed_member}',
})
export const invitationAccepted = event({
  name: 'teams.invitation_accepted',
  refreshes: ['teams', 'auth'],
  effects: ['notifications.update_alerts'],
  /** `confirmed_by`: who said that the address is theirs, where it was neither they nor somebody of the team. */
  detail: z.object({ added_member: z.string(), ...granted, confirmed_by: z.optional(z.literal('staff')) }),
  sentence: ({ confirmed_by }) => (confirmed_by ? 'Joined the team, by an e-mail address that staff confirmed' : 'Joined the team'),
})
export const invitationRejected = event({
  name: 'teams.invitation_rejected',
  refreshes: ['teams', 'auth'],
  detail: z.object({ removed_member: z.string() }),
  sentence: 'Declined the invitation',
})
export const invitationMoved = event({
  name: 'teams.invitation_moved',
  refreshes: ['teams', 'auth'],
  detail: z.object({ old_email: z.string(), new_email: z.string() }),
  sentence: 'Changed the e-mail address {old_email} to {new_email}: the invitation is now for that address',
})
export const memberUpdated = event({
  name: 'teams.member_updated',
  refreshes: ['teams', 'auth'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ updated_member: z.string(), ...granted, ...old }),
  sentence: 'Updated the permissions of {updated_member}',
})
export const memberRemoved = event({
  name: 'teams.member_removed',
  refreshes: ['teams', 'auth'],
  detail: z.object({ removed_member: z.string() }),
  sentence: 'Removed {removed_member} from the team',
})
export const memberLeft = event({
  name: 'teams.member_left',
  refreshes: ['teams', 'auth'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ removed_member: z.string() }),
  sentence: 'Left the team',
})
const factor = z.enum(['demanded', 'optional'])
const factors = z.object({ second_factor: factor, old_second_factor: factor })
export const secondFactorDemanded = event({
  name: 'teams.second_factor_demanded',
  refreshes: ['teams', 'auth'],
  detail: factors,
  sentence: 'Made two-factor authentication required for everybody who works on this account',
})
export const secondFactorOptional = event({
  name: 'teams.second_factor_made_optional',
  refreshes: ['teams', 'auth'],
  detail: factors,
  sentence: 'Made two-factor authentication optional for everybody who works on this account',
})

// On the account of the person it is about.

const team = z.object({ owner: z.string(), team_name: z.string() })

export const invitationReceived = event({
  name: 'teams.invitation_received',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Invited you to the team {team_name}',
})
export const invitationWithdrawn = event({
  name: 'teams.invitation_withdrawn',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Revoked your invitation to the team {team_name}',
})
export const teamJoined = event({
  name: 'teams.team_joined',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Joined the team {team_name}',
})
export const teamDeclined = event({
  name: 'teams.team_declined',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Declined the invitation to the team {team_name}',
})
export const teamLeft = event({
  name: 'teams.team_left',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Left the team {team_name}',
})
export const teamRightsChanged = event({
  name: 'teams.team_rights_changed',
  refreshes: ['teams', 'auth'],
  detail: z.extend(team, granted),
  sentence: 'Changed your permissions in the team {team_name}',
})
export const teamMembershipEnded = event({
  name: 'teams.team_membership_ended',
  refreshes: ['teams', 'auth'],
  detail: team,
  sentence: 'Removed you from the team {team_name}',
})
