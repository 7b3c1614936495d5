import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { builtDirs, type BuiltDirs } from './built-dirs.ts'
import { basePathOf, isPublicUrl, publicUrlWords } from './public-url.ts'
import { portMistakes } from './port-mistakes.ts'
import { databaseMistakes, tlsMistakes } from './together.ts'
import { unknownVariables } from './unknown-variables.ts'
import { S3Variables, s3Mistakes, s3Of, type S3Settings } from './blobs/s3-settings.ts'
import { tunnelsOf, TunnelVariables, type TunnelSettings } from './tunnel-settings.ts'
import { IntegrationVariables, integrationMistakes, integrationsOf, type Integrations } from './integrations.ts'

const roles = ['api', 'worker', 'meter', 'broker'] as const
export type Role = (typeof roles)[number]

/** As people write one: spaces alone are no 0, and neither is `0x10` a number. */
const number = ({ like, error, min, max }: { like: RegExp; error: string; min: number; max: number }) =>
  z.pipe(
    z.string().check(z.regex(like, error)),
    z.pipe(z.transform(Number), z.number({ error }).check(z.minimum(min, error), z.maximum(max, error)))
  )
const whole = (value: number, min: number, max: number) =>
  z._default(number({ like: /^\s*\d+\s*$/, error: `a whole number from ${min} to ${max}`, min, max }), value)
const anyPort = number({ like: /^\s*\d+\s*$/, error: 'a port: 0 to 65535', min: 0, max: 65_535 })
const port = (value: number) => z._default(anyPort, value)
const speed = number({ like: /^\s*\d+(\.\d+)?\s*$/, error: 'a number from 0.1 to 1000', min: 0.1, max: 1000 })
const usualMetricsPort = 9464
const usualCardSandboxPort = 12_111
const onOff = z.enum(['on', 'off'], { error: 'on or off' })
const host = z._default(z.string().check(z.regex(/^[\w.:%-]{1,253}$/, 'an address or a name of this machine, like 127.0.0.1')), '127.0.0.1')
const address = z.optional(z.url({ protocol: /^(https?|mailto)$/, error: 'an address like https://example.com' }))

const Environment = z.object({
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'an address like postgres://user:password@host/name'))),
  DATABASE_DIRECT_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'an address like postgres://user:password@host/name'))),
  MASTHEAD_DATA_DIR: z._default(z.string(), '.data'),
  MASTHEAD_SECRET_KEY: z.optional(
    z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$/, 'a key of 32 bytes as base64, or several with commas between'))
  ),
  MASTHEAD_HOST: host,
  MASTHEAD_HTTP_PORT: port(8080),
  MASTHEAD_METRICS_PORT: z.optional(anyPort),
  MASTHEAD_METRICS_HOST: host,
  MASTHEAD_METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'at least 16 letters, like the output of: openssl rand -hex 32'))),
  MASTHEAD_RADIUS_AUTH_PORT: port(1812),
  MASTHEAD_RADIUS_ACCT_PORT: port(1813),
  MASTHEAD_MQTT_PORT: port(1883),
  MASTHEAD_MQTTS_PORT: port(8883),
  MASTHEAD_TLS_CERT: z.optional(z.string()),
  MASTHEAD_TLS_KEY: z.optional(z.string()),
  MASTHEAD_RADIUS_SECRET: z.optional(z.string().check(z.minLength(1))),
  MASTHEAD_ROLES: z.pipe(
    z._default(z.string(), 'api,worker,meter,broker'),
    z.pipe(
      z.transform((text: string) => text.split(',').map((name) => name.trim())),
      z.array(z.enum(roles, { error: `some of ${roles.join(', ')}` }))
    )
  ),
  MASTHEAD_METER_PROCESSES: whole(1, 1, 64),
  MASTHEAD_DEMO: z.optional(onOff),
  MASTHEAD_DEMO_NETWORK: z._default(onOff, 'on'),
  MASTHEAD_DEMO_SPEED: z._default(speed, 10),
  MASTHEAD_REGISTRATION: z._default(onOff, 'on'),
  MASTHEAD_PUBLIC_URL: z.optional(z.string().check(z.refine(isPublicUrl, publicUrlWords))),
  MASTHEAD_CONSOLE_ORIGINS: z.pipe(
    z._default(z.string(), ''),
    z.pipe(
      z.transform((text: string) => text.split(/[\s,]+/).filter((each) => each !== '')),
      z.array(
        z.string().check(
          z.regex(/^(https:\/\/[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/, {
            error: 'origins like https://console.example.com, with commas between; without https only on this machine',
          })
        )
      )
    )
  ),
  MASTHEAD_TRUST_PROXY: z._default(
    z.string().check(z.regex(/^(on|off|[1-9])$/, 'on, off, or how many proxies stand in front (1 to 9)')),
    'off'
  ),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\/[^\s]+$/, 'an address like smtp://user:password@host:587'))),
  MASTHEAD_MAIL_FROM: z.optional(z.string().check(z.regex(/^[^\r\n]*@[^\s@]+$/, 'a sender like Masthead <no-reply@example.com>'))),
  MASTHEAD_LOG_LEVEL: z._default(
    z.enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'silent, error, warn, info or debug' }),
    'info'
  ),
  MASTHEAD_RECORD_RETENTION_DAYS: whole(30, 1, 3650),
  MASTHEAD_DATA_SESSION_RETENTION_DAYS: whole(400, 60, 3650),
  MASTHEAD_CDR_DIR: z.optional(z.string()),
  MASTHEAD_FASTEST_LINK: whole(2_000_000_000, 1_000_000, 1_000_000_000_000),
  MASTHEAD_SESSION_DAYS: whole(14, 1, 365),
  MASTHEAD_SESSION_IDLE_HOURS: whole(24, 1, 8760),
  MASTHEAD_RECORDING_DAYS: whole(90, 1, 3650),
  MASTHEAD_STAFF_SECOND_FACTOR: z.optional(onOff),
  MASTHEAD_WEBHOOK_PRIVATE: z._default(onOff, 'off'),
  MASTHEAD_CARD_SANDBOX_PORT: z.optional(anyPort),
  npm_lifecycle_event: z.optional(z.string()),
  MASTHEAD_STARTED_BY: z.optional(number({ like: /^\d+$/, error: 'the id of a process', min: 0, max: 4_294_967_295 })),
  MASTHEAD_END_LEFT_BEHIND: z.optional(onOff),
  INIT_CWD: z.optional(z.string()),
  MASTHEAD_CONSOLE_DIR: z.optional(z.string()),
  MASTHEAD_PRIVACY_URL: address,
  MASTHEAD_TERMS_URL: address,
  MASTHEAD_COMMUNITY_URL: address,
  MASTHEAD_CONTACT_URL: address,
  ...IntegrationVariables.shape,
  ...S3Variables.shape,
  ...TunnelVariables.shape,
})

/** Settings, read once at the start. Ports are UDP for RADIUS; 0 takes a free one (tests). */
export type Config = BuiltDirs & {
  databaseUrl: string | undefined
  /** Past a pooler that stands at `databaseUrl`: for what needs a session of its own. */
  directUrl: string | undefined
  dataDir: string
  /** What encrypts secrets in the database, the one that encrypts first; none: the keys in the data directory. */
  secretKeys: readonly Buffer[]
  /** Where the built console is, when not in its place. */
  host: string
  ports: { http: number; radiusAuth: number; radiusAcct: number; mqtt: number; mqtts: number }
  tunnels: TunnelSettings
  /** Files of the certificate that devices see; null: one of our own. */
  tls: { cert: string; key: string } | null
  /** Where the demo's card sandbox listens; null: there is none. `chosen`: by somebody, so that it has to be this port. */
  cardSandbox: { port: number; chosen: boolean } | null
  /** Where figures and health are served beside; `token`: to whom. `chosen`: by somebody, so that it has to be this port. */
  metrics: { host: string; port: number; chosen: boolean; token: string | undefined }
  /** A secret for a gateway at 127.0.0.1. */
  radiusSecret: string | undefined
  roles: readonly Role[]
  meterProcesses: number
  demo: boolean
  demoNetwork: boolean
  /** How much faster than life the simulated network moves. */
  demoSpeed: number
  registration: boolean
  publicUrl: string | undefined
  /** The path of it below which the console stands, like `/iot`; empty for none. */
  basePath: string
  /** Where else consoles are served that ask this API. */
  consoleOrigins: readonly string[]
  /** How many proxies in front of us may say where a request came from. Further ones are the visitor's own claim. */
  trustProxy: number
  /** Where mail is handed over; without it mail stays in the outbox. */
  smtpUrl: string | undefined
  mailFrom: string
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  recordRetentionDays: number
  /** Ended data sessions are kept so long. */
  dataSessionRetentionDays: number
  /** CDR files are looked for in its folders; none: nowhere. */
  cdrDir: string | undefined
  /** The fastest link of any device, in bits per second each way: usage beyond it is not believed. */
  fastestLink: number
  sessionDays: number
  /** A session ends when nothing was asked with it for so long. */
  sessionIdleHours: number
  recordingDays: number
  /** Staff enter the backoffice with two factors alone. */
  staffSecondFactor: boolean
  /** Webhooks may also go to private addresses and over plain http. */
  webhookPrivate: boolean
  /** Started as an npm script, and to end with npm. */
  runByNpm: boolean
  /** The process that started what keeps us running (tools/keep-running.sh). */
  startedBy: number | undefined
  /** Asked to end when a run of ours had just been killed: all there is to do is to end the database that it left running. */
  endLeftBehind: boolean
  /** Where the caller stands: npm runs its scripts at the top of the checkout. */
  calledFrom: string
  links: { privacy: string | null; terms: string | null; community: string | null; contact: string | null }
  integrations: Integrations
  /** Where blobs are; null: in files of the data directory. */
  s3: S3Settings | null
  /** A sentence for each variable that begins like ours and is none. */
  unknownVariables: readonly string[]
  /** Tries at signing in: per address a minute, failed ones per e-mail in five minutes; registrations per address an hour. */
  limits: { signInPerAddress: number; failuresPerEmail: number; registrationsPerAddress: number }
  /** How long the headers and the body of a request may take, in ms; bytes a second an upload brings; connections open at once from one address. */
  requests: { headersWithin: number; bodyWithin: number; uploadRate: number; connectionsPerAddress: number }
}

/** Every mistake in the environment at once, in words. */
export class ConfigError extends Error {
  readonly name = 'ConfigError'
}

/** What this process was started with. */
export const environment = (): NodeJS.ProcessEnv => process.env

/** Whoever reaches the port may read how much the installation does. */
const metricsMistakes = ({ MASTHEAD_METRICS_HOST: host, MASTHEAD_METRICS_TOKEN: token }: z.output<typeof Environment>) =>
  token !== undefined || /^(127(\.\d+){3}|::1|localhost)$/.test(host)
    ? []
    : [`MASTHEAD_METRICS_HOST must be an address of this machine alone, like 127.0.0.1, unless MASTHEAD_METRICS_TOKEN is set`]

export function loadConfig(env: NodeJS.ProcessEnv = environment()): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { success, data: e, error } = Environment.safeParse(given)
  const mistakes = success
    ? [
        ...integrationMistakes(e),
        ...s3Mistakes(e),
        ...metricsMistakes(e),
        ...portMistakes({ ...e, MASTHEAD_METRICS_PORT: e.MASTHEAD_METRICS_PORT ?? usualMetricsPort }),
        ...databaseMistakes(e),
        ...tlsMistakes(e),
      ]
    : error.issues.map((issue) => `${issue.path[0]?.toString()} must be ${issue.message}`)
  if (!success || mistakes.length > 0) throw new ConfigError([...new Set(mistakes)].join('\n'))
  const demo = (e.MASTHEAD_DEMO ?? (e.DATABASE_URL ? 'off' : 'on')) === 'on'
  return {
    databaseUrl: e.DATABASE_URL,
    directUrl: e.DATABASE_DIRECT_URL,
    dataDir: resolve(e.MASTHEAD_DATA_DIR),
    secretKeys: (e.MASTHEAD_SECRET_KEY ?? '')
      .split(',')
      .filter(Boolean)
      .map((key) => Buffer.from(key, 'base64')),
    host: e.MASTHEAD_HOST,
    ports: {
      http: e.MASTHEAD_HTTP_PORT,
      radiusAuth: e.MASTHEAD_RADIUS_AUTH_PORT,
      radiusAcct: e.MASTHEAD_RADIUS_ACCT_PORT,
      mqtt: e.MASTHEAD_MQTT_PORT,
      mqtts: e.MASTHEAD_MQTTS_PORT,
    },
    tunnels: tunnelsOf(e),
    tls: e.MASTHEAD_TLS_CERT && e.MASTHEAD_TLS_KEY ? { cert: resolve(e.MASTHEAD_TLS_CERT), key: resolve(e.MASTHEAD_TLS_KEY) } : null,
    cardSandbox:
      demo && !e.STRIPE_PUBLISHABLE_KEY
        ? { port: e.MASTHEAD_CARD_SANDBOX_PORT ?? usualCardSandboxPort, chosen: e.MASTHEAD_CARD_SANDBOX_PORT !== undefined }
        : null,
    metrics: {
      host: e.MASTHEAD_METRICS_HOST,
      port: e.MASTHEAD_METRICS_PORT ?? usualMetricsPort,
      chosen: e.MASTHEAD_METRICS_PORT !== undefined,
      token: e.MASTHEAD_METRICS_TOKEN,
    },
    radiusSecret: e.MASTHEAD_RADIUS_SECRET ?? (demo ? 'testing123' : undefined),
    roles: e.MASTHEAD_ROLES,
    meterProcesses: e.MASTHEAD_METER_PROCESSES,
    demo,
    demoNetwork: e.MASTHEAD_DEMO_NETWORK === 'on',
    demoSpeed: e.MASTHEAD_DEMO_SPEED,
    registration: e.MASTHEAD_REGISTRATION === 'on',
    publicUrl: e.MASTHEAD_PUBLIC_URL,
    basePath: basePathOf(e.MASTHEAD_PUBLIC_URL),
    consoleOrigins: e.MASTHEAD_CONSOLE_ORIGINS,
    trustProxy: { on: 1, off: 0 }[e.MASTHEAD_TRUST_PROXY] ?? Number(e.MASTHEAD_TRUST_PROXY),
    smtpUrl: e.SMTP_URL,
    mailFrom:
      e.MASTHEAD_MAIL_FROM ?? `Masthead <no-reply@${e.MASTHEAD_PUBLIC_URL ? new URL(e.MASTHEAD_PUBLIC_URL).hostname : 'localhost'}>`,
    logLevel: e.MASTHEAD_LOG_LEVEL,
    recordRetentionDays: e.MASTHEAD_RECORD_RETENTION_DAYS,
    dataSessionRetentionDays: e.MASTHEAD_DATA_SESSION_RETENTION_DAYS,
    cdrDir: e.MASTHEAD_CDR_DIR && resolve(e.MASTHEAD_CDR_DIR),
    fastestLink: e.MASTHEAD_FASTEST_LINK,
    sessionDays: e.MASTHEAD_SESSION_DAYS,
    sessionIdleHours: e.MASTHEAD_SESSION_IDLE_HOURS,
    recordingDays: e.MASTHEAD_RECORDING_DAYS,
    // The demo's person of staff has a password that everybody knows: a second factor would keep out the curious alone.
    staffSecondFactor: (e.MASTHEAD_STAFF_SECOND_FACTOR ?? (demo ? 'off' : 'on')) === 'on',
    webhookPrivate: e.MASTHEAD_WEBHOOK_PRIVATE === 'on',
    runByNpm: e.npm_lifecycle_event !== undefined,
    startedBy: e.MASTHEAD_STARTED_BY,
    endLeftBehind: e.MASTHEAD_END_LEFT_BEHIND === 'on',
    calledFrom: e.INIT_CWD ?? process.cwd(),
    ...builtDirs(e.MASTHEAD_CONSOLE_DIR),
    links: {
      privacy: e.MASTHEAD_PRIVACY_URL ?? null,
      terms: e.MASTHEAD_TERMS_URL ?? null,
      community: e.MASTHEAD_COMMUNITY_URL ?? null,
      contact: e.MASTHEAD_CONTACT_URL ?? null,
    },
    unknownVariables: unknownVariables(given, Object.keys(Environment.shape)),
    s3: s3Of(e),
    integrations: integrationsOf(e, { registration: e.MASTHEAD_REGISTRATION === 'on' }),
    limits: { signInPerAddress: 60, failuresPerEmail: 10, registrationsPerAddress: 30 },
    requests: { headersWithin: 20_000, bodyWithin: 30_000, uploadRate: 1000, connectionsPerAddress: 1000 },
  }
}
