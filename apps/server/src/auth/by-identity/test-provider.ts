import { pathOf, type Operation } from '@masthead/contract/kernel/operation'
import { openHouse, type House } from '@masthead/testkit/house'
import { openIdentityProvider, ours, type IdentityProvider, type Vouchee } from '@masthead/testkit/identity-provider'
import type { Config } from '../../kernel/config.ts'
import { noIntegrations, type Identity } from '../../kernel/integrations.ts'

export const consoleOrigin = 'http://console.test'

/** A house that knows a provider, and the provider. */
export async function openVouchedHouse(
  people: Vouchee[],
  { identity = {}, ...config }: Partial<Config> & { identity?: Partial<Identity> } = {}
) {
  const provider = await openIdentityProvider(people)
  provider.allowed.add(consoleOrigin)
  const house = await openHouse({
    config: {
      publicUrl: consoleOrigin,
      ...config,
      integrations: { ...noIntegrations, identity: { ...identityOf(provider), ...identity } },
    },
  })
  return { house, provider }
}

export const identityOf = ({ issuer }: IdentityProvider): Identity => ({
  issuer,
  clientId: ours.client_id,
  clientSecret: ours.client_secret,
  clientAuth: undefined,
  name: 'Harbour Login',
  scopes: 'openid email profile',
  audience: ours.client_id,
  opensAccounts: true,
})

/** A browser with its cookies: those of the console and those of the provider apart, as on two hosts. */
export function newBrowser(house: House) {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => jars.get(origin) ?? jars.set(origin, new Map()).get(origin)!
  const header = (jar: Map<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (jar: Map<string, string>, set: readonly string[]) => {
    for (const text of set) {
      const [pair = ''] = text.split(';')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
  }

  async function go(address: string, form?: Record<string, string>) {
    const url = new URL(address, consoleOrigin)
    const jar = jarOf(url.origin)
    if (url.origin === consoleOrigin) {
      const answer = await house.server.inject({
        method: 'GET',
        url: url.pathname + url.search,
        headers: { host: url.host, cookie: header(jar), accept: 'text/html' },
      })
      keep(jar, [answer.headers['set-cookie'] ?? []].flat())
      return { status: answer.statusCode, to: answer.headers.location ?? null, text: answer.body, url: url.href }
    }
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: header(jar) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    keep(jar, answer.headers.getSetCookie())
    const to = answer.headers.get('location')
    return { status: answer.status, to: to && new URL(to, url).href, text: await answer.text(), url: url.href }
  }

  /** Follows where one is sent until a page is shown, at most ten times; stops before an address that `until` names. */
  async function follow(address: string, until: (address: string) => boolean = () => false): Promise<string> {
    let at = address
    for (let steps = 0; steps < 10; steps++) {
      if (until(at) || at.startsWith('/#')) return at
      const { to } = await go(at)
      if (to === null) return at
      at = to
    }
    throw new Error('led in circles')
  }

  return {
    go,
    follow,
    cookies: jarOf(consoleOrigin),
    /** Goes the whole way as `sub` and answers where in the console it ends: `/#/…`. */
    async signIn(sub: string, start = '/v1/auth/identity/start') {
      const asked = await follow(start)
      if (asked.startsWith('/#')) return asked
      const { to } = await go(asked, { sub })
      return follow(to!)
    },
    /** As far as the callback, which is answered and not visited. */
    async signInUntilCallback(sub: string, start = '/v1/auth/identity/start') {
      const isCallback = (address: string) => address.includes('/identity/callback')
      // The provider does not ask whom it knows already.
      const asked = await follow(start, isCallback)
      if (isCallback(asked)) return asked
      const { to } = await go(asked, { sub })
      return follow(to!, isCallback)
    },
    async call<Op extends Operation>(op: Op, { params, body }: { params?: Record<string, string>; body?: unknown } = {}) {
      const answer = await house.server.inject({
        method: op.method,
        url: `/v1${pathOf(op, params)}`,
        headers: { host: new URL(consoleOrigin).host, cookie: header(jarOf(consoleOrigin)) },
        ...(body !== undefined && { payload: body as never }),
      })
      keep(jarOf(consoleOrigin), [answer.headers['set-cookie'] ?? []].flat())
      return { status: answer.statusCode, body: answer.json<Record<string, never>>() as never as Record<string, unknown> }
    },
  }
}
