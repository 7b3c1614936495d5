import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import { identityMemory } from './identity-memory.ts'

/** Somebody the provider knows. `sub` is its own name for them. */
export type Vouchee = { sub: string; email: string; email_verified: boolean; name: string }

export const ours = { client_id: 'masthead', client_secret: 'a secret of the provider and the console' }

type Minted = { claims?: Record<string, unknown>; header?: Record<string, unknown>; key?: 'own' | 'foreign'; expiresIn?: number }

/**
 * A real OpenID provider on this machine, with a page that asks whom one wants to be. It sends people back to the origins in `allowed` and
 * to nobody else. `client_secret` null makes ours a public client.
 */
export async function openIdentityProvider(people: Vouchee[], { port = 0 }: { port?: number } = {}) {
  const [own, foreign] = [newKey(), newKey()]
  const allowed = new Set<string>()
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.writeHead(503).end()
  let broken = false
  const server = createServer((request, response) => (broken ? void response.writeHead(503).end('away') : answer(request, response)))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration({ ...own.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }, people))
  const isAllowed = (uri: string) => allowed.has(new URL(uri).origin)
  Object.assign(provider.Client.prototype, { redirectUriAllowed: isAllowed, postLogoutRedirectUriAllowed: isAllowed })
  const standard = provider.callback()
  answer = (request, response) => {
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '') ?? []
    if (uid) void interact(provider, people, request, response)
    else void standard(request, response)
  }

  return {
    issuer,
    people,
    client: ours,
    allowed,
    /** Answers nothing but 503 until it is mended. */
    set broken(value: boolean) {
      broken = value
    },
    /** An access token as RFC 9068 wants it, meant for us; each claim and the header can be made wrong. */
    mint: ({ sub, email, email_verified, name }: Vouchee, { claims = {}, header = {}, key = 'own', expiresIn = 600 }: Minted = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const about = { iss: issuer, aud: ours.client_id, client_id: ours.client_id, sub, email, email_verified, name }
      return signed(
        { alg: 'RS256', kid: 'own', typ: 'at+jwt', ...header },
        { ...about, iat: now, exp: now + expiresIn, ...claims },
        key === 'own' ? own : foreign
      )
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type IdentityProvider = Awaited<ReturnType<typeof openIdentityProvider>>

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** A JWT signed RS256, whatever its header says. */
function signed(header: object, claims: object, key: KeyObject): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

const configuration = (key: object, people: Vouchee[]): Configuration => ({
  adapter: identityMemory(),
  jwks: { keys: [key as never] },
  clients: [
    { ...ours, redirect_uris: ['https://masthead.test/callback'], token_endpoint_auth_method: 'client_secret_post' },
    {
      client_id: 'another-program',
      client_secret: 'a secret of another program of the provider',
      redirect_uris: ['https://another.test/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  cookies: { keys: ['a key of the tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_ctx, sub) => {
    const found = people.find((each) => each.sub === sub)
    return found && { accountId: sub, claims: () => ({ ...found }) }
  },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: () => true },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = page('Sign out', `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out everywhere</button>`)
      },
    },
  },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  // Whoever signs in agrees to everything.
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client!.clientId, accountId: ctx.oidc.session!.accountId! })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
  ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600, AuthorizationCode: 60 },
})

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`

/** The provider's own page: whom does one want to be, or rather nobody. */
async function interact(provider: Provider, people: Vouchee[], request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST') {
    const buttons = people.map(({ sub, email }) => `<p><button name="sub" value="${sub}">${email}</button>`).join('')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(page('Who are you?', `<form method="post">${buttons}<p><button name="sub" value="">Cancel</button></form>`))
    return
  }
  let body = ''
  for await (const piece of request) body += String(piece)
  const sub = new URLSearchParams(body).get('sub') ?? ''
  const result = sub ? { login: { accountId: sub } } : { error: 'access_denied', error_description: 'Cancelled' }
  await provider.interactionFinished(request, response, result)
}
