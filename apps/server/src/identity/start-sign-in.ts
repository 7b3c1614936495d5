import { createHash } from 'node:crypto'
import * as client from 'openid-client'
import type { App, Tx } from '../kernel/app.ts'
import { asIdentityProblem, findProvider } from './provider.ts'

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Where the provider sends people back to, below the console's own address. */
export const callbackPath = '/v1/auth/identity/callback'
const attemptSeconds = 600

type Beginning = {
  /** The secret that only this browser has. */
  browser: string
  /** The console's own address, without a slash at its end. */
  origin: string
  /** Where in the console it goes on afterwards. */
  return_to: string
  /** Who is signed in and wants to link the identity to their account. */
  person_id: string | null
  /** They only prove who they are: the provider has to ask them anew. */
  proves?: boolean
}

/** A way to the provider: its address there, which is good once it is kept. */
type Way = { url: URL; keep: (tx: Tx) => Promise<unknown> }

/** Begins a way to the provider and back. Code flow with PKCE, a state that is good once, and a nonce. */
export async function startSignIn(app: App, { browser, proves = false, ...beginning }: Beginning): Promise<Way> {
  const { identity, configuration } = await findProvider(app)
  const at = app.clock.now()
  const [state, nonce, code_verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
  try {
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${beginning.origin}${callbackPath}`,
      scope: identity.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
      ...(proves && { prompt: 'login', max_age: '0' }),
    })
    const expires_at = new Date(at.getTime() + attemptSeconds * 1000)
    const hashes = { state_hash: hashOf(state), browser_hash: hashOf(browser) }
    const attempt = { ...beginning, proves, ...hashes, nonce, code_verifier, created_at: at, expires_at }
    return { url, keep: (tx) => tx.insertInto('identity_attempt').values(attempt).execute() }
  } catch (error) {
    throw asIdentityProblem(identity, error)
  }
}
