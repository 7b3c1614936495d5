// What other areas may use of teams: sections of the profile, of the notifications and of the bell, loaded with those.
export { BellInvitations } from './BellInvitations.tsx'
export { InvitationList } from './InvitationList.tsx'
export { MembershipsSection } from './MembershipsSection.tsx'
export { TeamSection } from './TeamSection.tsx'
