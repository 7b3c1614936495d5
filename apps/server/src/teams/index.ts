// What other areas may use of teams.
export { forgetTag } from './forget-tag.ts'
export { invitationMail } from './write-invitation-mail.ts'
