import Stripe from 'stripe'
import type { App } from '../../kernel/app.ts'
import type { CardProvider } from '../../kernel/integrations.ts'

const clients = new WeakMap<CardProvider, Stripe>()

/** The card provider's API; null where this installation takes no cards. Calls it makes again by itself have the same key, so they have one effect. */
export function providerOf({ config }: Pick<App, 'config'>): Stripe | null {
  const { cardProvider } = config.integrations
  if (!cardProvider?.secretKey) return null
  const known = clients.get(cardProvider)
  if (known) return known
  const { api, secretKey } = cardProvider
  const at = api ? new URL(api) : null
  const client = new Stripe(secretKey, {
    ...(at && { host: at.hostname, port: at.port, protocol: at.protocol === 'http:' ? ('http' as const) : ('https' as const) }),
    maxNetworkRetries: 2,
    timeout: 20_000,
    telemetry: false,
    appInfo: { name: 'Masthead' },
  })
  clients.set(cardProvider, client)
  return client
}

/** What an object names another by: its id, or all of it. */
export const idOf = (named: string | { id: string } | null | undefined): string | null =>
  typeof named === 'string' ? named : (named?.id ?? null)

/** Nothing of that name is there: it will not come by trying again. `param`: where it was named. */
export const isMissing = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'resource_missing' &&
  (param === undefined || error.param === param)
