import * as z from 'zod/mini'
import { deviceKinds } from '../devices/device-kind.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { deviceCutAlready, ownAccount, staffMayMore } from './problems.ts'
import { Reason } from './reason.ts'

/** Why a broker refuses a connection or a message, in words. */
export const brokerRefusals = {
  credentials: 'Wrong credentials, or a device that was cut off',
  unavailable: 'The database did not answer while a device signed in',
  sign_ins: 'Too many sign-ins of one device within a minute',
  waiting: 'Too many connections that had not signed in',
  rate: 'Too many messages of one device',
  size: 'Messages that are too large',
  malformed: 'What is no MQTT',
  topic: 'Topics of other devices',
  report: 'Reports that can never be stored',
  unacknowledged: 'Messages that a device did not acknowledge',
} as const

/** A broker that runs: what it counted since it started. */
export const Broker = z.object({
  name: z.string(),
  started_at: Time,
  seen_at: Time,
  clients: z.int(),
  connections: z.int(),
  messages: z.int(),
  sent: z.int(),
  stored: z.int(),
  /** Those that there were, the most frequent first. */
  refusals: z.array(z.object({ why: z.string(), count: z.int() })),
})
export type Broker = z.output<typeof Broker>

export const listBrokers = operation({
  name: 'backoffice.listBrokers',
  method: 'GET',
  path: '/backoffice/brokers',
  summary: 'The brokers that devices connect to: how many are there, and what was refused',
  access: 'manage_devices',
  reply: z.object({ items: z.array(Broker) }),
})

/** A device of any account with credentials for the broker. */
export const BrokerClient = z.object({
  device_id: z.string(),
  kind: z.enum(deviceKinds),
  asset_id: z.string(),
  asset_name: z.string(),
  account: z.string(),
  online: z.boolean(),
  /** The broker that it is connected to, or was last. */
  broker: z.nullable(z.string()),
  since: z.nullable(Time),
  last_seen_at: z.nullable(Time),
  ip: z.nullable(z.string()),
  cut_at: z.nullable(Time),
  cut_by: z.nullable(z.string()),
})
export type BrokerClient = z.output<typeof BrokerClient>

export const clientStates = { online: 'Online', offline: 'Offline', cut: 'Cut off' } as const

export const listBrokerClients = operation({
  name: 'backoffice.listBrokerClients',
  method: 'GET',
  path: '/backoffice/broker-clients',
  summary: 'Devices of all accounts at the broker, by their ids',
  access: 'manage_devices',
  query: z.extend(PageQuery, {
    state: z.optional(z.enum(Object.keys(clientStates) as [keyof typeof clientStates, ...(keyof typeof clientStates)[]])),
    /** An id of a device or an asset, an address, or the beginning of a name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: page(BrokerClient),
})

/** New credentials let it in again. */
export const cutBrokerClient = operation({
  name: 'backoffice.cutBrokerClient',
  method: 'POST',
  path: '/backoffice/broker-clients/{any_device_id}/cut',
  summary: 'End the connection of a device and refuse it until it gets new credentials',
  access: 'manage_devices',
  body: z.object({ reason: Reason }),
  problems: [notFound, deviceCutAlready, ownAccount, staffMayMore],
})
