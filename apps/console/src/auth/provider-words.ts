import * as problems from '@masthead/contract/auth/problems'

const known = [
  problems.emailUnverified,
  problems.identityOff,
  problems.identityOther,
  problems.identityTaken,
  problems.identityUnavailable,
  problems.linkFirst,
  problems.registrationOff,
  problems.signInRefused,
  problems.signInStale,
  problems.tokenRefused,
]

/** The words of a code that the way to the identity provider ended with; an address can say nothing else here. */
export const providerWords = (code: string | null): string | null =>
  code === null ? null : (known.find((kind) => kind.code === code)?.title ?? 'The sign-in did not work. Try again')
