import * as client from 'openid-client'
import { identityOff, identityUnavailable, signInRefused, tokenRefused } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import type { Identity } from '../kernel/integrations.ts'

/** The configured provider and what it says of itself. */
export type Provider = { identity: Identity; configuration: client.Configuration }

const timeout = 8 // seconds the provider may take to answer
const describedFor = 3_600_000 // ms: its description is asked for again after this

const described = new WeakMap<Identity, { at: number; configuration: Promise<client.Configuration> }>()

/** The provider of this installation, its description asked for when it is first needed. Throws identity_off or identity_unavailable. */
export async function findProvider({ config, clock }: Pick<App, 'config' | 'clock'>): Promise<Provider> {
  const { identity } = config.integrations
  if (!identity) throw new Problem(identityOff)
  const now = clock.now().getTime()
  const known = described.get(identity)
  if (known && now - known.at < describedFor) return { identity, configuration: await known.configuration }
  const configuration = describe(identity)
  described.set(identity, { at: now, configuration })
  try {
    return { identity, configuration: await configuration }
  } catch (error) {
    // An old description is better than none; a failed first one is asked for again.
    if (known) described.set(identity, { ...known, at: now })
    else described.delete(identity)
    if (known) return { identity, configuration: await known.configuration }
    throw unavailable(identity, error)
  }
}

function describe({ issuer, clientId, clientSecret, clientAuth }: Identity): Promise<client.Configuration> {
  // Plain HTTP is only configurable on this machine. The signature of an ID token is checked although it came over TLS.
  const execute = [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])]
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
  const secret: client.ClientAuth = (server, ...rest) => {
    const likesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    return ((clientAuth ?? (likesPost ? 'post' : 'basic')) === 'post' ? post : basic)(server, ...rest)
  }
  const authentication = clientSecret === undefined ? client.None() : secret
  return client.discovery(new URL(issuer), clientId, { client_secret: clientSecret }, authentication, { execute, timeout })
}

const unavailable = ({ name }: Identity, cause: unknown) =>
  new Problem(identityUnavailable, `${name} does not answer right now. Try again in a moment, or sign in with your password`, {
    retryAfter: 10,
    cause,
  })

/** A failure of the provider, or of what it handed over, as a problem of ours. */
export function asIdentityProblem(identity: Identity, error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof client.AuthorizationResponseError) {
    const denied = error.error === 'access_denied'
    return new Problem(signInRefused, denied ? `The sign-in at ${identity.name} was stopped` : `${identity.name} refused the sign-in`, {
      cause: error,
    })
  }
  const { code, status, cause } = error as { code?: string; status?: number; cause?: unknown }
  const answered = status ?? (cause instanceof Response ? cause.status : undefined)
  const silent =
    error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT' || (answered !== undefined && answered >= 500)
  return silent
    ? unavailable(identity, error)
    : new Problem(tokenRefused, `What ${identity.name} handed over is not valid. Sign in again`, { cause: error })
}
