import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { noTunnelDevice, terminalSuspended, tooManyTunnels, tunnelBeside, tunnelNoCertificate, tunnelOver } from './problems.ts'
import { ListTunnelsQuery, Tunnel, TunnelConnection, TunnelFields } from './tunnel.ts'

/** A person opens it: no API key does. It lasts no longer than that person may. */
export const openTunnel = operation({
  name: 'terminal.openTunnel',
  method: 'POST',
  path: '/assets/{asset_id}/tunnels',
  summary: 'Open a tunnel to a port of a device for a time',
  access: 'tunnels.open',
  keys: false,
  body: TunnelFields,
  reply: Tunnel,
  problems: [notFound, noTunnelDevice, terminalSuspended, tunnelBeside, tunnelNoCertificate, tooManyTunnels],
})

export const listTunnels = operation({
  name: 'terminal.listTunnels',
  method: 'GET',
  path: '/tunnels',
  summary: 'Tunnels to devices, the newest first',
  access: 'tunnels.open',
  query: ListTunnelsQuery,
  reply: page(Tunnel),
})

export const getTunnel = operation({
  name: 'terminal.getTunnel',
  method: 'GET',
  path: '/tunnels/{tunnel_id}',
  summary: 'One tunnel',
  access: 'tunnels.open',
  reply: Tunnel,
  problems: [notFound],
})

export const listTunnelConnections = operation({
  name: 'terminal.listTunnelConnections',
  method: 'GET',
  path: '/tunnels/{tunnel_id}/connections',
  summary: 'Each connection through a tunnel and each that was refused, the newest first',
  access: 'tunnels.open',
  query: PageQuery,
  reply: page(TunnelConnection),
  problems: [notFound],
})

/** Connections through it are cut within two seconds. */
export const revokeTunnel = operation({
  name: 'terminal.revokeTunnel',
  method: 'POST',
  path: '/tunnels/{tunnel_id}/revoke',
  summary: 'Close a tunnel now',
  access: 'tunnels.open',
  reply: Tunnel,
  problems: [notFound, tunnelOver],
})

const Rules = z.object({
  /** Whether a tunnel may lead to addresses beside the device, in its private network. */
  beside: z.boolean(),
})
/** `limited`: whoever asks sees some devices only, and cannot set them. `certificate`: our ports of tunnels can speak TLS. */
const RulesSeen = z.extend(Rules, { limited: z.boolean(), certificate: z.boolean() })

export const getTunnelRules = operation({
  name: 'terminal.getTunnelRules',
  method: 'GET',
  path: '/tunnel-rules',
  summary: 'What tunnels of the account may',
  access: 'tunnels.open',
  reply: RulesSeen,
})

/** Taken back, it closes the tunnels that lead beside their device. */
export const updateTunnelRules = operation({
  name: 'terminal.updateTunnelRules',
  method: 'PUT',
  path: '/tunnel-rules',
  summary: 'Set what tunnels of the account may',
  access: 'profile.edit',
  keys: false,
  body: Rules,
  reply: RulesSeen,
})
