// What other areas may use of teams: sections of the profile and of the notifications, loaded with those screens.
export { InvitationList } from './InvitationList.tsx'
export { MembershipsSection } from './MembershipsSection.tsx'
export { TeamSection } from './TeamSection.tsx'
