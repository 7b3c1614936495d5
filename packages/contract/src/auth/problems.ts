import { problem } from '../kernel/problem.ts'

export const credentialsWrong = problem({
  code: 'credentials_wrong',
  status: 400,
  title: 'E-mail or password is wrong',
})
export const emailTaken = problem({
  code: 'email_taken',
  status: 409,
  title: 'An account with this e-mail already exists',
})
export const notAMember = problem({
  code: 'not_a_member',
  status: 403,
  title: 'You are not a member of this team',
})
export const registrationOff = problem({
  code: 'registration_off',
  status: 403,
  title: 'Registration is switched off here. Ask whoever runs this installation for an account',
})

/** The password was right; the cookie that comes with this lets `POST /auth/second_step` finish the sign-in within five minutes. */
export const secondFactorNeeded = problem({
  code: 'second_factor_needed',
  status: 403,
  title: 'A second factor is required to sign in',
})
export const signInExpired = problem({
  code: 'sign_in_expired',
  status: 400,
  title: 'This sign-in took too long. Start again',
})
export const codeWrong = problem({
  code: 'code_wrong',
  status: 400,
  title: 'The code is wrong or has been used already',
})
export const passkeyRefused = problem({
  code: 'passkey_refused',
  status: 400,
  title: 'This passkey was not accepted. Try again, or sign in another way',
})
export const linkExpired = problem({
  code: 'link_expired',
  status: 400,
  title: 'This link has been used or has expired. Ask for a new one',
})
export const emailProvenAlready = problem({
  code: 'email_proven_already',
  status: 409,
  title: 'This e-mail address is confirmed already',
})
export const mailOff = problem({
  code: 'mail_off',
  status: 409,
  title: 'This installation sends no mail. Sign in with an identity provider, or ask its support staff to confirm your address',
})
export const identityOff = problem({
  code: 'identity_off',
  status: 403,
  title: 'This installation has no identity provider',
})
export const identityUnavailable = problem({
  code: 'identity_unavailable',
  status: 503,
  title: 'The identity provider does not answer right now. Try again in a moment, or sign in with your password',
})
export const signInRefused = problem({
  code: 'sign_in_refused',
  status: 403,
  title: 'The identity provider did not sign you in',
})
export const signInStale = problem({
  code: 'sign_in_stale',
  status: 400,
  title: 'This sign-in was started in another browser, was used already or took too long. Start again',
})
export const tokenRefused = problem({
  code: 'token_refused',
  status: 400,
  title: 'The response of the identity provider is not valid. Sign in again',
})
export const emailUnverified = problem({
  code: 'email_unverified',
  status: 403,
  title: 'The identity provider has not verified your e-mail address. Verify it there first',
})
export const linkFirst = problem({
  code: 'link_first',
  status: 409,
  title: 'Your account requires a second step. Sign in as usual, and link the identity provider on your profile',
})
export const identityTaken = problem({
  code: 'identity_taken',
  status: 409,
  title: 'This identity, or another one of the same provider, is linked to an account already',
})
export const identityOther = problem({
  code: 'identity_other',
  status: 403,
  title: 'You signed in there as somebody who is not linked to this account',
})
/** The last proof is too long ago: `POST /account/proof` gives a new one. */
export const proofNeeded = problem({
  code: 'proof_needed',
  status: 403,
  title: 'Confirm your identity first, because you signed in some time ago',
})
export const lastWayIn = problem({
  code: 'last_way_in',
  status: 409,
  title: 'This is your only way to sign in. Set a password first',
})
export const lastFactorDemanded = problem({
  code: 'last_factor_demanded',
  status: 409,
  title:
    'The account you are working on requires a second factor, and this is your last. Add another first, or go back to your own account',
})
