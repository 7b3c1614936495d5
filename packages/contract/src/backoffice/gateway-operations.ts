import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { gatewayAddressTaken, gatewayInUse, gatewayLastAddress, gatewayOff, gatewayUnknown } from './problems.ts'

/** Seconds without a packet after which a gateway is silent; where all its open sessions report less often than every 5 minutes, after three of the shortest of their intervals. */
export const gatewaySilentAfter = 900

export const GatewayState = z.enum(['hearing', 'silent', 'never', 'disabled'])

/** Where a gateway sends from: one of a redundant pair, or a proxy in front of it. */
export const GatewayAddress = z.object({
  id: z.string(),
  address: z.string(),
  legacy: z.boolean(),
  coa_port: z.int(),
  heard_at: z.nullable(Time),
  packets: z.int(),
  secret_changed_at: z.nullable(Time),
  created_at: Time,
})
export type GatewayAddress = z.output<typeof GatewayAddress>

export const Gateway = z.object({
  id: z.string(),
  name: z.string(),
  state: GatewayState,
  /** At any of its addresses. */
  heard_at: z.nullable(Time),
  /** From all of its addresses. */
  packets: z.int(),
  open_sessions: z.int(),
  created_at: Time,
  /** At least one. */
  addresses: z.array(GatewayAddress),
})
export type Gateway = z.output<typeof Gateway>

const Port = z.int().check(z.minimum(1, 'A port is 1 to 65535'), z.maximum(65535, 'A port is 1 to 65535'))
const Address = z.union([z.ipv4(), z.ipv6()], { error: 'Enter an IP address, like 192.0.2.10' })
/** One that nobody else is to know: it must not be guessable. */
export const GatewaySecret = z.string().check(z.minLength(16, 'Use at least 16 characters'), z.maxLength(128, 'Use at most 128 characters'))
/** Without one, a new one is made. */
const Secret = z.optional(GatewaySecret)
const Shown = z.object({
  gateway: Gateway,
  /** Shown this once. */
  secret: z.string(),
})
const NewAddress = {
  address: Address,
  secret: Secret,
  legacy: z._default(z.boolean(), false),
  coa_port: z._default(Port, 3799),
}

/** All of them: there are some dozens at most. */
export const listGateways = operation({
  name: 'backoffice.listGateways',
  method: 'GET',
  path: '/backoffice/gateways',
  summary: 'The packet gateways that may report by RADIUS',
  access: 'manage_networks',
  reply: z.object({ items: z.array(Gateway) }),
})

export const addGateway = operation({
  name: 'backoffice.addGateway',
  method: 'POST',
  path: '/backoffice/gateways',
  summary: 'Let a packet gateway report by RADIUS, from a first address',
  access: 'manage_networks',
  body: z.object({ name: Name, ...NewAddress }),
  reply: Shown,
  problems: [gatewayAddressTaken],
  encryptsReply: true,
})

export const updateGateway = operation({
  name: 'backoffice.updateGateway',
  method: 'PATCH',
  path: '/backoffice/gateways/{gateway_id}',
  summary: 'Rename a gateway, or switch it on and off',
  access: 'manage_networks',
  body: z.object({ name: z.optional(Name), disabled: z.optional(z.boolean()) }),
  reply: Gateway,
  problems: [notFound],
})

export const addGatewayAddress = operation({
  name: 'backoffice.addGatewayAddress',
  method: 'POST',
  path: '/backoffice/gateways/{gateway_id}/addresses',
  summary: 'Let a gateway report from one more address, with a secret of its own',
  access: 'manage_networks',
  body: z.object(NewAddress),
  reply: Shown,
  problems: [notFound, gatewayAddressTaken],
  encryptsReply: true,
})

export const updateGatewayAddress = operation({
  name: 'backoffice.updateGatewayAddress',
  method: 'PATCH',
  path: '/backoffice/gateways/{gateway_id}/addresses/{address_id}',
  summary: 'Change an address of a gateway',
  access: 'manage_networks',
  body: z.object({ address: z.optional(Address), legacy: z.optional(z.boolean()), coa_port: z.optional(Port) }),
  reply: Gateway,
  problems: [notFound, gatewayAddressTaken],
})

export const rotateGatewaySecret = operation({
  name: 'backoffice.rotateGatewaySecret',
  method: 'POST',
  path: '/backoffice/gateways/{gateway_id}/addresses/{address_id}/secret',
  summary: 'Give an address of a gateway a new secret; packets with the old one are dropped from now on',
  access: 'manage_networks',
  body: z.object({ secret: Secret }),
  reply: Shown,
  problems: [notFound],
  encryptsReply: true,
})

export const removeGatewayAddress = operation({
  name: 'backoffice.removeGatewayAddress',
  method: 'DELETE',
  path: '/backoffice/gateways/{gateway_id}/addresses/{address_id}',
  summary: 'Remove an address of a gateway; its last address stays',
  access: 'manage_networks',
  reply: Gateway,
  problems: [notFound, gatewayLastAddress],
})

export const joinGateways = operation({
  name: 'backoffice.joinGateways',
  method: 'POST',
  path: '/backoffice/gateways/{gateway_id}/join',
  summary: 'Make another gateway a part of this one: its addresses, its sessions and what it has in quarantine become this one’s',
  access: 'manage_networks',
  /** The one that is no more afterwards. */
  body: z.object({ other_id: z.string({ error: 'Choose the other gateway' }).check(z.maxLength(64)) }),
  reply: Gateway,
  problems: [notFound, gatewayUnknown, gatewayOff],
})

export const removeGateway = operation({
  name: 'backoffice.removeGateway',
  method: 'DELETE',
  path: '/backoffice/gateways/{gateway_id}',
  summary: 'Remove a gateway that has reported nothing',
  access: 'manage_networks',
  problems: [notFound, gatewayInUse],
})
