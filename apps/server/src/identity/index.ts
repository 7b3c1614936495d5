import './tables.ts'

export { checkAccessToken } from './check-access-token.ts'
export { finishSignIn, takeAttempt, type Attempt } from './finish-sign-in.ts'
export { checkUnlinkable, keepVouched, listIdentities, unlinkIdentity } from './identities.ts'
export { findLinked, linkIdentity } from './link-identity.ts'
export { signOutAddress } from './sign-out-address.ts'
export { callbackPath, startSignIn } from './start-sign-in.ts'
export type { Vouched } from './vouched.ts'
