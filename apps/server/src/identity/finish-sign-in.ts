import * as client from 'openid-client'
import { signInStale } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { asIdentityProblem, findProvider } from './provider.ts'
import { callbackPath, hashOf } from './start-sign-in.ts'
import { readIdentityClaims, type IdentityClaims } from './identity-claims.ts'

export type Attempt = { return_to: string; person_id: string | null; origin: string; nonce: string; code_verifier: string; proves: boolean }

/**
 * The attempt that a state belongs to: used up from now on, whatever comes of it. Throws sign_in_stale when it was begun in another
 * browser, was used, or is too old.
 */
export async function takeAttempt({ db, clock }: App, { browser, state }: { browser: string; state: string }): Promise<Attempt> {
  const attempt = await db
    .transaction()
    .execute((tx) =>
      tx
        .deleteFrom('identity_attempt')
        .where('state_hash', '=', hashOf(state))
        .where('browser_hash', '=', hashOf(browser))
        .returning(['return_to', 'person_id', 'origin', 'nonce', 'code_verifier', 'proves', 'expires_at'])
        .executeTakeFirst()
    )
  if (!attempt || attempt.expires_at <= clock.now()) throw new Problem(signInStale)
  return attempt
}

/** How long ago somebody may have shown the provider who they are, to prove it here. */
const provedWithin = 300 // seconds

/** Changes the code for tokens and reads whom they are about. `search` is the query the provider sent back with. */
export async function finishSignIn(
  app: App,
  attempt: Attempt,
  { state, search }: { state: string; search: string }
): Promise<IdentityClaims> {
  const { identity, configuration } = await findProvider(app)
  try {
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${attempt.origin}${callbackPath}${search}`), {
      pkceCodeVerifier: attempt.code_verifier,
      expectedNonce: attempt.nonce,
      expectedState: state,
      idTokenExpected: true,
      // The provider has to say when it asked them, and that it was just now.
      ...(attempt.proves && { maxAge: provedWithin }),
    })
    const claims = tokens.claims()!
    // Many providers put the e-mail address into userinfo alone.
    const more = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
    const said = more ? { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), sub: claims.sub } : claims
    return readIdentityClaims(claims.iss, said, tokens.id_token ?? null)
  } catch (error) {
    throw asIdentityProblem(identity, error)
  }
}
