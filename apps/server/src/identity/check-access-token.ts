import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import * as client from 'openid-client'
import { tokenRefused } from '@masthead/contract/auth/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { asIdentityProblem, findProvider, type Provider } from './provider.ts'
import { readIdentityClaims, type IdentityClaims } from './identity-claims.ts'

const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const keySets = new WeakMap<client.Configuration, ReturnType<typeof createRemoteJWKSet>>()

/**
 * Whom an access token of the provider is about. It must be meant for us: one that another program of the same provider was given is
 * refused, and so is an ID token. Throws token_refused or identity_unavailable.
 */
export async function checkAccessToken(app: App, token: string): Promise<IdentityClaims> {
  const provider = await findProvider(app)
  try {
    const header = headerOf(token)
    return header ? await readJwt(provider, token, header, app.clock.now()) : await readOpaque(provider, token, app.clock.now())
  } catch (error) {
    if (error instanceof errors.JWKSTimeout) throw asIdentityProblem(provider.identity, new TypeError('no keys', { cause: error }))
    throw asIdentityProblem(provider.identity, error)
  }
}

/** The header of a JWT; null for a token that says nothing by itself. */
function headerOf(token: string): ProtectedHeaderParameters | null {
  if (token.split('.').length !== 3) return null
  try {
    return decodeProtectedHeader(token)
  } catch {
    return null
  }
}

async function readJwt(provider: Provider, token: string, { typ }: ProtectedHeaderParameters, at: Date): Promise<IdentityClaims> {
  const { identity, configuration } = provider
  const { issuer, jwks_uri } = configuration.serverMetadata()
  if (!jwks_uri) throw new Problem(tokenRefused)
  const keys = keySets.get(configuration) ?? createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: 8000 })
  keySets.set(configuration, keys)
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: identity.audience,
    algorithms: asymmetric,
    requiredClaims: ['sub', 'exp'],
    currentDate: at,
    clockTolerance: 30,
  })
  const party = payload.azp ?? payload.client_id
  if (party !== undefined && party !== identity.clientId) throw new Problem(tokenRefused)
  // RFC 9068 marks access tokens as such. Without the mark only the provider knows: at userinfo it takes no ID token.
  const marked = /^(application\/)?at\+jwt$/i.test(typ ?? '')
  if (marked && payload.email !== undefined) return readIdentityClaims(issuer, payload)
  return readIdentityClaims(issuer, await userInfo(provider, token, payload))
}

/** A token without words of its own: the provider says whose it is and whom it was given to (RFC 7662). */
async function readOpaque(provider: Provider, token: string, at: Date): Promise<IdentityClaims> {
  const { identity, configuration } = provider
  const { issuer, introspection_endpoint } = configuration.serverMetadata()
  if (!introspection_endpoint || identity.clientSecret === undefined) {
    throw new Problem(tokenRefused, `Nobody can say whom ${identity.name} gave this token to. Sign in with the button instead`)
  }
  const said = await client.tokenIntrospection(configuration, token)
  const audiences = said.aud === undefined ? [] : [said.aud].flat()
  const ours = said.client_id === identity.clientId && (audiences.length === 0 || audiences.includes(identity.audience))
  const kind = said.token_type ?? 'Bearer'
  const over = said.exp !== undefined && said.exp * 1000 <= at.getTime()
  if (!said.active || !ours || over || !/^(bearer|access_token)$/i.test(kind)) throw new Problem(tokenRefused)
  return readIdentityClaims(issuer, await userInfo(provider, token, said as JWTPayload))
}

/** What the provider says to whoever shows the token. It must be of the same person. */
const userInfo = ({ configuration }: Provider, token: string, { sub }: JWTPayload) =>
  sub === undefined ? Promise.reject(new Problem(tokenRefused)) : client.fetchUserInfo(configuration, token, sub)
