import * as teams from '@masthead/contract/teams/operations'
import { reach, read, write, type Route } from '../kernel/http/routes.ts'
import { approveInvitation, rejectInvitation } from './invitations/answer-invitation.ts'
import { deleteInvitation } from './invitations/delete-invitation.ts'
import { demandSecondFactor } from './members/demand-second-factor.ts'
import { getTeam } from './get-team.ts'
import { leaveTeam } from './members/leave-team.ts'
import { listInvitations, listMemberships } from './own-teams.ts'
import { removeMember } from './members/remove-member.ts'
import { makeInvitationLink, resendInvitation } from './invitations/resend-invitation.ts'
import { updateInvitation } from './invitations/update-invitation.ts'

/** An e-mail in an address, as it is kept. */
const kept = (email: string) => email.trim().toLowerCase()

export const teamRoutes: Route[] = [
  read(teams.getTeam, ({ db, actor }) => getTeam(db, actor)),
  write(teams.updateInvitation, ({ db, actor, body, config }) => updateInvitation(db, actor, body, config)),
  write(teams.resendInvitation, ({ db, actor, body, config }) => resendInvitation(db, actor, body.email, config)),
  reach(teams.makeInvitationLink, makeInvitationLink),
  write(teams.deleteInvitation, ({ db, actor, params }) => deleteInvitation(db, actor, kept(params.invited_email))),
  write(teams.removeMember, ({ db, actor, params }) => removeMember(db, actor, kept(params.member_email))),
  reach(teams.demandSecondFactor, demandSecondFactor),
  read(teams.listInvitations, ({ db, actor }) => listInvitations(db, actor)),
  reach(teams.approveInvitation, approveInvitation),
  write(teams.rejectInvitation, ({ db, actor, body }) => rejectInvitation(db, actor, body.inviter_email)),
  read(teams.listMemberships, async ({ db, actor }) => ({ items: await listMemberships(db, actor) })),
  write(teams.leaveTeam, ({ db, actor, body }) => leaveTeam(db, actor, body.owner_email)),
]
