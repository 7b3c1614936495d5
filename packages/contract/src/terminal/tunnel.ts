import * as z from 'zod/mini'
import { Bytes, listOf, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'
import { PageQuery } from '../kernel/page.ts'

export const tunnelId = idKind('tun')
export const tunnelConnectionId = idKind('tuc')

/** Tunnels that are open at once, on one device, of one person and of the account. */
export const mostTunnels = { device: 5, person: 10, account: 20 } as const
/** Connections through one tunnel at once. */
export const mostConnections = 32
/** Refused connections of a tunnel that are written down one by one; further ones are only counted. */
export const mostRefusals = 1000
/** Address ranges that a tunnel may be reached from. */
const mostSources = 20

/** How long a tunnel may last, in minutes. */
const tunnelMinutes = { least: 15, most: 1440 } as const
export const tunnelTimes = { 15: '15 minutes', 60: '1 hour', 240: '4 hours', 480: '8 hours', 1440: '24 hours' } as const
export const tunnelTimeWords = (minutes: number) =>
  tunnelTimes[minutes as keyof typeof tunnelTimes] ?? (minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`)

/** Why a tunnel is over. */
export const tunnelEnds = {
  revoked: 'It was revoked',
  time_over: 'Its time was over',
  not_allowed: 'The person who opened it lost access',
  signed_out: 'The session that it was opened in is over',
  account_suspended: 'The account was suspended',
  device_gone: 'The device was removed or refused',
  beside_not_allowed: 'The account does not allow addresses beside the device any more',
  no_certificate: 'The TLS certificate of this server could not be read',
} as const
export const TunnelEnd = z.enum(Object.keys(tunnelEnds) as [keyof typeof tunnelEnds])
export type TunnelEnd = keyof typeof tunnelEnds

const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
/** What is not one, as `1:2`, has the shape of one all the same. */
const isAddress = (range: string) => !range.includes(':') || z.ipv6().safeParse(range.replace(/\/.*$/, '')).success
/** An IPv4 or IPv6 range with its length, or one address. */
const SourceRange = z.string({ error: 'Enter an address range, like 203.0.113.0/24' }).check(
  z.trim(),
  z.maxLength(50),
  z.refine(isAddress, { error: 'Enter an address range, like 2001:db8::/32' }),
  z.regex(new RegExp(`^(${octet}(\\.${octet}){3}(/(3[0-2]|[12]?\\d))?|[0-9a-fA-F:]*:[0-9a-fA-F:]*(/(12[0-8]|1[01]\\d|\\d?\\d))?)$`), {
    error: 'Enter an address range, like 203.0.113.0/24',
  })
)

/** An address beside the device, in a private network of it. */
const privateV4 = new RegExp(`^(10(\\.${octet}){3}|192\\.168(\\.${octet}){2}|172\\.(1[6-9]|2\\d|3[01])(\\.${octet}){2})$`)
const BesideAddress = z
  .string()
  .check(z.trim(), z.regex(privateV4, { error: 'Enter an address of the private network that the device is in, like 192.168.1.50' }))

export const TunnelFields = z.object({
  port: z
    .int({ error: 'Enter a port: 1 to 65535' })
    .check(z.minimum(1, 'Enter a port: 1 to 65535'), z.maximum(65_535, 'Enter a port: 1 to 65535')),
  /** Null: the device itself. Another address needs the account’s word. */
  address: z._default(z.nullable(BesideAddress), null),
  /**
   * The port speaks TLS: the web page at the name of the tunnel is asked for by HTTPS, and its certificate is not checked, since devices make their own.
   * What goes through the port of the tunnel is the same either way.
   */
  tls: z._default(z.boolean(), false),
  /** Our port speaks TLS, with the certificate of this server; what is inside goes to the device. Needs one, see `certificate` of the rules. */
  encrypted: z._default(z.boolean(), false),
  sources: z.array(SourceRange).check(z.minLength(1, 'Enter at least one address range'), z.maxLength(mostSources)),
  minutes: z
    .int({ error: 'From 15 minutes to 24 hours' })
    .check(z.minimum(tunnelMinutes.least, 'At least 15 minutes'), z.maximum(tunnelMinutes.most, 'At most 24 hours')),
})

export const TunnelState = z.enum(['waiting', 'open', 'ended'])
export type TunnelState = z.output<typeof TunnelState>

export const Tunnel = z.object({
  id: z.string(),
  asset_id: z.string(),
  asset_name: z.string(),
  /** On the device, or at an address beside it. */
  port: z.int(),
  address: z.nullable(z.string()),
  tls: z.boolean(),
  encrypted: z.boolean(),
  sources: z.array(z.string()),
  minutes: z.int(),
  /** `waiting`: the device is not connected; it opens by itself once it is. */
  state: TunnelState,
  /**
   * No port of this server was free when the device came for the tunnel; one is tried for again each minute. It waits, or it is open and reached at `url`
   * alone.
   */
  no_port: z.boolean(),
  opened_by: z.string(),
  opened_at: Time,
  until: Time,
  ended_at: z.nullable(Time),
  ended_by: z.nullable(z.string()),
  end_reason: z.nullable(TunnelEnd),
  /** Where it is reached, as `host:port`; null while it waits or has no port, and when it is over. */
  reached_at: z.nullable(z.string()),
  /** Where a browser reaches a web page behind it while it is open; null, too, where this server has no domain for that. */
  url: z.nullable(z.string()),
  /** From outside to the device, and back. */
  bytes_in: Bytes,
  bytes_out: Bytes,
  connections: z.int(),
  connections_now: z.int(),
  refused: z.int(),
})
export type Tunnel = z.output<typeof Tunnel>

export const connectionResults = {
  open: 'Connected',
  closed: 'Closed',
  source: 'Refused: not from an allowed address',
  too_many: 'Refused: too many connections',
  device: 'Refused by the device',
  cut: 'Cut with the tunnel',
} as const
export const ConnectionResult = z.enum(Object.keys(connectionResults) as [keyof typeof connectionResults])
export type ConnectionResult = keyof typeof connectionResults

/** One connection, or one that was refused. */
export const TunnelConnection = z.object({
  id: z.string(),
  at: Time,
  ended_at: z.nullable(Time),
  from: z.string(),
  result: ConnectionResult,
  words: z.nullable(z.string()),
  bytes_in: Bytes,
  bytes_out: Bytes,
})
export type TunnelConnection = z.output<typeof TunnelConnection>

export const ListTunnelsQuery = z.extend(PageQuery, { state: listOf(TunnelState), asset: z.optional(z.string().check(z.maxLength(120))) })
