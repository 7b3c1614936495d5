// What other areas may use of people and their sign-in.
export { resetSecondFactor } from './authenticator-setup.ts'
export { signOutPeople } from './sessions.ts'
