import './tables.ts'

// What a person proves who they are with, beside a password.
export { confirmAuthenticator, dropAuthenticator, findAuthenticator, spendStep, startAuthenticator, stepOf } from './authenticator.ts'
export { findSecret, issueSecret, spendSecret, withdrawSecrets } from './one-time-secret.ts'
export { challengePasskey, checkNewPasskey, checkPasskey, startPasskey, type PasskeyPurpose } from './passkeys.ts'
export { noticeOf, tellSecurity } from './tell-security.ts'
export { countRecoveryCodes, isRecoveryCode, readRecoveryCode, renewRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
