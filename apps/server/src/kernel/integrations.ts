import * as z from 'zod/mini'
import { scannerMistakes, scannerOf, ScannerVariables, type Scanner } from './scanner-settings.ts'

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Whether an address keeps what is sent to it from others: HTTPS, or this very machine. */
const isPrivate = (text: string, secure: string) => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === secure || loopback.test(url.hostname))
}
const web = (words: string) =>
  z.optional(
    z.string().check(
      z.regex(/^https?:\/\/[^\s/?#;,'"]+[^\s?#;,'"]*$/, words),
      z.refine((text) => isPrivate(text, 'https:'), words)
    )
  )
const origin = (words: string) => z.string().check(z.regex(/^https?:\/\/[a-z0-9.*-]+(:\d+)?$/i, words))
const word = z.optional(z.string().check(z.maxLength(500, 'at most 500 characters')))
/** Where a map's tiles come from: a host of its own that the policy can name, and where the numbers of a tile go. */
const tiles = 'an address like https://tiles.example.com/{z}/{x}/{y}.png; without https only on this machine'
const tileAddress = z.optional(
  z.string().check(
    z.regex(/^https?:\/\/[a-z0-9.-]+(:\d+)?\/[^\s#;,'"<>\\]*$/i, tiles),
    z.refine((text) => ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && isPrivate(text, 'https:'), tiles)
  )
)
const onOff = z.enum(['on', 'off'], { error: 'on or off' })

/** The variables that tie Masthead to services of others. Without them nothing of it is there, on the screen or in the headers. */
export const IntegrationVariables = z.object({
  OIDC_ISSUER: web('the address of an identity provider, like https://login.example.com; without https only on this machine'),
  OIDC_CLIENT_ID: word,
  OIDC_CLIENT_SECRET: word,
  OIDC_CLIENT_AUTH: z.optional(z.enum(['basic', 'post'], { error: 'basic or post' })),
  OIDC_NAME: z.optional(z.string().check(z.maxLength(40, 'a name of at most 40 characters'))),
  OIDC_SCOPES: z._default(
    z.string().check(z.regex(/(^|\s)openid(\s|$)/, 'scopes with openid among them, like openid email profile')),
    'openid email profile'
  ),
  OIDC_AUDIENCE: word,
  OIDC_REGISTRATION: z.optional(onOff),
  TAG_MANAGER_ID: z.optional(z.string().check(z.regex(/^[A-Z]{1,4}-[A-Z0-9]{4,20}$/, 'an id like GTM-ABC1234'))),
  TAG_MANAGER_URL: z._default(
    web('the address of a tag manager’s script, like https://www.googletagmanager.com/gtm.js'),
    'https://www.googletagmanager.com/gtm.js'
  ),
  TAG_MANAGER_HOSTS: z.pipe(
    z._default(z.string(), ''),
    z.pipe(
      z.transform((text: string) => text.split(/[\s,]+/).filter((each) => each !== '')),
      z.array(origin('origins like https://stats.example.com, separated by commas'))
    )
  ),
  MASTHEAD_SELLER: z._default(z.string().check(z.maxLength(500, 'at most 500 characters')), 'Masthead'),
  STRIPE_PUBLISHABLE_KEY: z.optional(
    z.string().check(z.regex(/^pk_[A-Za-z0-9_]+$/, 'a publishable key like pk_live_…: never the secret one'))
  ),
  STRIPE_SECRET_KEY: z.optional(z.string().check(z.regex(/^[sr]k_[A-Za-z0-9_]+$/, 'a secret key like sk_live_…'))),
  STRIPE_WEBHOOK_SECRET: z.optional(
    z.string().check(z.regex(/^whsec_[A-Za-z0-9+/=_]+$/, 'the secret of a webhook endpoint, like whsec_…'))
  ),
  STRIPE_API_URL: web('the address of a sandbox, like http://127.0.0.1:9000; without https only on this machine'),
  STRIPE_SCRIPT_URL: web('the address of a sandbox’s script, like http://127.0.0.1:9000/v3/; without https only on this machine'),
  MASTHEAD_BROKER_URL: z.optional(
    z.string().check(
      z.regex(/^wss?:\/\/[a-z0-9.-]+(:\d+)?(\/[\w./-]*)?$/i, 'an address like wss://broker.example.com/mqtt'),
      z.refine((text) => isPrivate(text, 'wss:'), 'an address like wss://broker.example.com/mqtt; ws: only on this machine')
    )
  ),
  MASTHEAD_REGISTRY_HOST: z.optional(
    z.string().check(z.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d+)?$/i, 'a host like registry.example.com or registry.example.com:5000'))
  ),
  MAP_TILES_URL: tileAddress,
  MAP_TILES_ATTRIBUTION: z.optional(z.string().check(z.maxLength(200, 'at most 200 characters'))),
  ...ScannerVariables.shape,
})

/** An OpenID provider by which people sign in. */
export type Identity = {
  /** Without a slash at its end, unless it was given with one: an issuer is compared letter by letter. */
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** How the secret is shown to the provider; undefined: as it says that it likes it. */
  clientAuth: 'basic' | 'post' | undefined
  /** On the button: "Continue with …". */
  name: string
  scopes: string
  /** What an access token must be meant for. */
  audience: string
  /** Whether somebody without an account gets one. */
  opensAccounts: boolean
}

/** Stripe, or a sandbox that speaks its API at `api` and has a script of its own. Without a secret key there is its script and no more. */
export type CardProvider = {
  publishableKey: string
  secretKey: string | null
  /** Null: it is asked again and again what became of a payment. */
  webhookSecret: string | null
  script: string | null
  api: string | null
}

/** Services of others that this installation is configured for; null: it is not. */
export type Integrations = {
  identity: Identity | null
  /** `hosts`: origins that what the tag manager loads may be from and send to. */
  tagManager: { id: string; script: string; hosts: readonly string[] } | null
  cardProvider: CardProvider | null
  /** Who issues invoices and receipts: lines. */
  seller: string
  /** A messaging broker elsewhere; null: our own, at `/mqtt`. */
  brokerUrl: string | null
  /** A container registry elsewhere, host and port; null: our own. */
  registryHost: string | null
  /** Streets under the maps; null: the basemap of our own. */
  mapTiles: { url: string; attribution: string } | null
  /** What looks into images; null: nothing does. */
  scanner: Scanner | null
}

export const noIntegrations: Integrations = {
  identity: null,
  tagManager: null,
  cardProvider: null,
  seller: 'Masthead',
  brokerUrl: null,
  registryHost: null,
  mapTiles: null,
  scanner: null,
}

type Given = z.output<typeof IntegrationVariables> & { MASTHEAD_PUBLIC_URL?: string | undefined }

/** Whether a key of the card provider moves money, as far as it says so. */
const modeOf = (key: string | undefined) => /^[psr]k_(live|test)_/.exec(key ?? '')?.[1]

/** What no variable says alone: settings that only make sense together. In words, one a line. */
export function integrationMistakes(e: Given): string[] {
  const mistakes = scannerMistakes(e)
  if (e.OIDC_ISSUER && !e.OIDC_CLIENT_ID)
    mistakes.push('OIDC_CLIENT_ID must be set too: the name by which the identity provider knows this console')
  if (!e.OIDC_ISSUER && (e.OIDC_CLIENT_ID || e.OIDC_CLIENT_SECRET))
    mistakes.push('OIDC_ISSUER must be set too: the address of the identity provider')
  // Whose map it is must be said on it: each provider's terms ask for it.
  if (e.MAP_TILES_URL && !e.MAP_TILES_ATTRIBUTION)
    mistakes.push('MAP_TILES_ATTRIBUTION must be set too: whose tiles they are, like © OpenStreetMap contributors')
  if (!e.MAP_TILES_URL && e.MAP_TILES_ATTRIBUTION) mistakes.push('MAP_TILES_URL must be set too: where the tiles come from')
  if (!e.STRIPE_PUBLISHABLE_KEY && (e.STRIPE_SECRET_KEY || e.STRIPE_WEBHOOK_SECRET))
    mistakes.push('STRIPE_PUBLISHABLE_KEY must be set too: the key that browsers show the card provider')
  if (e.STRIPE_WEBHOOK_SECRET && !e.STRIPE_SECRET_KEY)
    mistakes.push('STRIPE_SECRET_KEY must be set too: the key that this server shows the card provider')
  const [shown, kept] = [modeOf(e.STRIPE_PUBLISHABLE_KEY), modeOf(e.STRIPE_SECRET_KEY)]
  if (shown && kept && shown !== kept)
    mistakes.push(`STRIPE_PUBLISHABLE_KEY is a ${shown} key and STRIPE_SECRET_KEY a ${kept} key: both must be live, or both test`)
  return mistakes
}

export const integrationsOf = (e: Given, { registration }: { registration: boolean }): Integrations => ({
  identity:
    e.OIDC_ISSUER && e.OIDC_CLIENT_ID
      ? {
          issuer: e.OIDC_ISSUER,
          clientId: e.OIDC_CLIENT_ID,
          clientSecret: e.OIDC_CLIENT_SECRET,
          clientAuth: e.OIDC_CLIENT_AUTH,
          name: e.OIDC_NAME ?? new URL(e.OIDC_ISSUER).hostname,
          scopes: e.OIDC_SCOPES,
          audience: e.OIDC_AUDIENCE ?? e.OIDC_CLIENT_ID,
          opensAccounts: e.OIDC_REGISTRATION ? e.OIDC_REGISTRATION === 'on' : registration,
        }
      : null,
  tagManager: e.TAG_MANAGER_ID ? { id: e.TAG_MANAGER_ID, script: e.TAG_MANAGER_URL!, hosts: e.TAG_MANAGER_HOSTS } : null,
  seller: e.MASTHEAD_SELLER.replaceAll(/\s*;\s*/g, '\n'),
  cardProvider: e.STRIPE_PUBLISHABLE_KEY
    ? {
        publishableKey: e.STRIPE_PUBLISHABLE_KEY,
        secretKey: e.STRIPE_SECRET_KEY ?? null,
        webhookSecret: e.STRIPE_WEBHOOK_SECRET ?? null,
        script: e.STRIPE_SCRIPT_URL ?? null,
        api: e.STRIPE_API_URL ?? null,
      }
    : null,
  brokerUrl: e.MASTHEAD_BROKER_URL ?? null,
  registryHost: e.MASTHEAD_REGISTRY_HOST ?? null,
  mapTiles: e.MAP_TILES_URL && e.MAP_TILES_ATTRIBUTION ? { url: e.MAP_TILES_URL, attribution: e.MAP_TILES_ATTRIBUTION } : null,
  scanner: scannerOf(e),
})
