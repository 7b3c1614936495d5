import './tables.ts'

// What a person proves who they are with, and what a password may not be.
export {
  confirmAuthenticator,
  dropAuthenticator,
  findAuthenticator,
  decryptAuthenticatorSecret,
  encryptAuthenticatorSecret,
  spendStep,
  startAuthenticator,
  stepOf,
} from './authenticator.ts'
export { dropFactor, factorOf, hasFactor } from './has-factor.ts'
export { checkNewPassword } from './new-password.ts'
export { findSecret, issueSecret, spendSecret, withdrawSecrets } from './one-time-secret.ts'
export { challengePasskey, checkNewPasskey, checkPasskey, startPasskey, type PasskeyPurpose } from './passkeys.ts'
export { noticeOf, notifySecurity } from './notify-security.ts'
export { countRecoveryCodes, isRecoveryCode, readRecoveryCode, renewRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
