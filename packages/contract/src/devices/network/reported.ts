import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'

const line = (most: number) => z.string().check(z.maxLength(most))
const words = z.nullable(line(500))

const NetworkInterface = z.object({
  name: line(32),
  /** `E` Ethernet, `W` Wi-Fi, `C` cellular, `X` another. */
  kind: z.enum(['E', 'W', 'C', 'X']),
  up: z.boolean(),
  addresses: z.array(line(64)).check(z.maxLength(16)),
  /** Of its default route; null where none leads through it. */
  metric: z.nullable(z.int()),
  /** The connection of NetworkManager that it has now. */
  connection: z.nullable(line(120)),
  /** What NetworkManager found through it. */
  internet: z.nullable(z.enum(['full', 'limited', 'portal', 'none'])),
})
export type NetworkInterface = z.output<typeof NetworkInterface>

export const Modem = z.object({
  manufacturer: z.nullable(line(80)),
  model: z.nullable(line(80)),
  firmware: z.nullable(line(80)),
  imei: z.nullable(line(20)),
  state: z.nullable(line(40)),
  operator: z.nullable(line(80)),
  operator_code: z.nullable(line(10)),
  technology: z.nullable(line(80)),
  signal_pct: z.nullable(z.int()),
  /** What the SIM asks for, as `sim-pin`; null: nothing. */
  lock: z.nullable(line(40)),
  /** Tries of the PIN that are left. */
  pin_tries: z.nullable(z.int()),
})
export type Modem = z.output<typeof Modem>

/** How far the device is with a generation. On `trial` it waits whether the server is reached. */
const ChangeState = z.enum(['applying', 'trial', 'kept', 'undone', 'failed'])
export const NetworkChange = z.object({
  generation: z.int(),
  state: ChangeState,
  words,
  began_at: Time,
  /** When the device undoes it by itself, unless it reaches the server before. */
  until: z.nullable(Time),
  ended_at: z.nullable(Time),
})
export type NetworkChange = z.output<typeof NetworkChange>

/** `not_asked`: the SIM is not locked, so nothing is known of the PIN. */
export const PinReport = z.object({
  generation: z.int(),
  state: z.enum(['not_asked', 'unlocked', 'refused', 'failed']),
  words,
  at: Time,
})
export type PinReport = z.output<typeof PinReport>

const WifiNetwork = z.object({
  ssid: line(64),
  /** Null: it is not in reach. */
  signal_pct: z.nullable(z.int()),
  security: z.enum(['open', 'wpa2', 'wpa3', 'enterprise', 'other']),
  in_use: z.boolean(),
  /** The device has a connection of its own for it. */
  own: z.boolean(),
})
export type WifiNetwork = z.output<typeof WifiNetwork>
/** Networks in one report. */
export const mostSeen = 30

const EsimProfile = z.object({
  aid: z.nullable(line(64)),
  iccid: line(20),
  provider: z.nullable(line(80)),
  name: z.nullable(line(80)),
  enabled: z.boolean(),
})
export type EsimProfile = z.output<typeof EsimProfile>
export const mostProfiles = 16
/** How far a job is, or what became of it. */
export const EsimProgress = z.object({
  generation: z.int(),
  do: z.enum(['add', 'delete']),
  state: z.enum(['running', 'done', 'failed']),
  /** What the program does now, in its own words. */
  step: z.nullable(line(80)),
  percent: z.int(),
  words,
  /** Of the profile that was added. */
  iccid: z.optional(line(20)),
  at: Time,
})
export type EsimProgress = z.output<typeof EsimProgress>

/** The network of a device as it reports it, whole each time. */
export const ReportedNetwork = z.object({
  at: Time,
  /** Why network settings cannot be carried out there. */
  words,
  manager: z.nullable(line(80)),
  modem_words: words,
  interfaces: z.array(NetworkInterface).check(z.maxLength(32)),
  /** Of the cellular connection. */
  apn: z.nullable(z.object({ name: z.nullable(line(100)), user: z.nullable(line(64)), has_password: z.boolean() })),
  modem: z.nullable(Modem),
  /** Null: it has no Wi-Fi. `scanned_at`: when somebody last had it look anew. */
  wifi: z._default(
    z.nullable(z.object({ scanned_at: z.nullable(Time), networks: z.array(WifiNetwork).check(z.maxLength(mostSeen)) })),
    null
  ),
  /** `words`: why its eSIM cannot be read. */
  esim: z._default(
    z.nullable(
      z.object({
        words,
        eid: z.nullable(line(40)),
        profiles: z.array(EsimProfile).check(z.maxLength(mostProfiles)),
        job: z.nullable(EsimProgress),
      })
    ),
    null
  ),
  change: z.nullable(NetworkChange),
  pin: z.nullable(PinReport),
})
export type ReportedNetwork = z.output<typeof ReportedNetwork>
