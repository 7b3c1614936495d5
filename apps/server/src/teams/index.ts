// What other areas may use of teams.
export { coversTags } from './may-grant.ts'
export { forgetTag } from './forget-tag.ts'
export { moveInvitations } from './invitations/move-invitations.ts'
export { invitationMail } from './invitations/write-invitation-mail.ts'
