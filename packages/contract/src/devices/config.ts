import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

const seconds = (min: number, max: number, usual: number) => ({ min, max, usual })

/** Numbers that a CORE device takes, in seconds. Outside of these it keeps `usual` and does not say so (MANAGER 1.12). */
export const configRanges = {
  check_internet_interval: seconds(10, 3600, 60),
  send_monitoring_data_interval: seconds(10, 3600, 25),
  ping_timeout: seconds(1, 60, 9),
  other_ping_timeout: seconds(1, 60, 3),
} as const

const inRange = (name: keyof typeof configRanges) => {
  const { min, max } = configRanges[name]
  const words = `Enter whole seconds from ${min} to ${max}`
  return z.optional(z.int(words).check(z.minimum(min, words), z.maximum(max, words)))
}

/** APNs that a CORE device accepts without being sent them. */
export const ownApns = ['super', 'de1.super', 'sg1.super'] as const
export const logLevels = ['debug', 'info', 'warning', 'error', 'critical'] as const
const Apn = z
  .string('Enter an APN')
  .check(z.regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,98}[A-Za-z0-9])?$/, 'Enter an APN, like super or iot.example'))
const named = (words: string) => z.string().check(z.regex(/^[\w.-]{1,32}$/, words))
/** By type (`TYPE_E` Ethernet, `TYPE_W` Wi-Fi, `TYPE_C` cellular, `TYPE_X` other) or by interface: the lowest number is used first. */
const Priorities = z.record(named('Name an interface or a type'), z.int().check(z.minimum(1), z.maximum(1000)))
const mostExceptions = 16

/** What is to be changed of a CORE device's configuration. */
export const ConfigChange = z
  .strictObject({
    apn: z.optional(Apn),
    network_priority: z.optional(Priorities),
    /** Interfaces that the device leaves as they are, in place of those that it left before. */
    network_interface_exceptions: z.optional(
      z.array(named('Name interfaces, like tun0')).check(z.maxLength(mostExceptions, `Name at most ${mostExceptions} interfaces`))
    ),
    check_internet_interval: inRange('check_internet_interval'),
    send_monitoring_data_interval: inRange('send_monitoring_data_interval'),
    ping_timeout: inRange('ping_timeout'),
    other_ping_timeout: inRange('other_ping_timeout'),
    logger_level: z.optional(z.enum(logLevels, { error: `Choose one of ${logLevels.join(', ')}` })),
    debug_mode: z.optional(z.boolean()),
    verbose_mode: z.optional(z.boolean()),
  })
  .check(z.refine((change) => Object.keys(change).length > 0, 'Say what to change'))
export type ConfigChange = z.output<typeof ConfigChange>

/** So many changes wait for a device at once. */
export const mostWaitingChanges = 20

/** `created` → `sent` (the device has it) → `received` (it was handed to what applies it) → `acked`. */
export const configStates = ['created', 'sent', 'received', 'acked', 'withdrawn'] as const
export const ConfigRequest = z.object({
  id: z.string(),
  state: z.enum(configStates),
  configs: z.record(z.string(), z.unknown()),
  by: z.string(),
  created_at: Time,
  published_at: z.nullable(Time),
  sent_at: z.nullable(Time),
  received_at: z.nullable(Time),
})
export type ConfigRequest = z.output<typeof ConfigRequest>

/** What the device is sent for a change: it refuses an APN that is not in its list, so a private one comes with the list. */
export const configsOf = (change: ConfigChange): Record<string, unknown> => ({
  ...change,
  ...(change.apn !== undefined && !(ownApns as readonly string[]).includes(change.apn) && { acceptable_apns: [...ownApns, change.apn] }),
})

/** Whether the device reports what is wanted; undefined: it reports nothing of the kind. A value out of its range it leaves without a word. */
export function isApplied(wanted: unknown, reported: unknown): boolean | undefined {
  if (reported === undefined || reported === null) return undefined
  return ordered(wanted) === ordered(reported)
}

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, inside: unknown) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inside
  )
