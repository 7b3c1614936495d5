import type { Role } from './config.ts'
import { portsOf } from './tunnel-settings.ts'

type Given = {
  MASTHEAD_ROLES: readonly Role[]
  MASTHEAD_HOST: string
  MASTHEAD_HTTP_PORT: number
  MASTHEAD_METRICS_HOST: string
  MASTHEAD_METRICS_PORT: number
  MASTHEAD_MQTT_PORT: number
  MASTHEAD_MQTTS_PORT: number
  MASTHEAD_RADIUS_AUTH_PORT: number
  MASTHEAD_RADIUS_ACCT_PORT: number
  MASTHEAD_TUNNEL_HOST: string
  MASTHEAD_TUNNEL_PORTS: string
}
type Listener = { role: Role | null; host: string; variable: keyof Given & `${string}_PORT`; over: 'tcp' | 'udp' }

/** One sentence for each port that processes with these roles would bind twice. 0 is a free one. */
export function portMistakes(e: Given): string[] {
  const listeners: Listener[] = [
    { role: 'api', host: e.MASTHEAD_HOST, variable: 'MASTHEAD_HTTP_PORT', over: 'tcp' },
    { role: null, host: e.MASTHEAD_METRICS_HOST, variable: 'MASTHEAD_METRICS_PORT', over: 'tcp' },
    { role: 'broker', host: e.MASTHEAD_HOST, variable: 'MASTHEAD_MQTT_PORT', over: 'tcp' },
    { role: 'broker', host: e.MASTHEAD_HOST, variable: 'MASTHEAD_MQTTS_PORT', over: 'tcp' },
    { role: 'meter', host: e.MASTHEAD_HOST, variable: 'MASTHEAD_RADIUS_AUTH_PORT', over: 'udp' },
    { role: 'meter', host: e.MASTHEAD_HOST, variable: 'MASTHEAD_RADIUS_ACCT_PORT', over: 'udp' },
  ]
  const bound = listeners.filter(({ role, variable }) => e[variable] > 0 && (role === null || e.MASTHEAD_ROLES.includes(role)))
  const twice = bound.flatMap((later, i) =>
    bound
      .slice(0, i)
      .filter((one) => one.over === later.over && e[one.variable] === e[later.variable] && meet(one.host, later.host))
      .map((one) => `${later.variable} must be another than ${one.variable}, which is ${e[one.variable]}`)
  )
  const tunnels = e.MASTHEAD_ROLES.includes('api') ? portsOf(e.MASTHEAD_TUNNEL_PORTS) : null
  const within = bound
    .filter(
      ({ over, host, variable }) =>
        over === 'tcp' && tunnels && tunnels.from <= e[variable] && e[variable] <= tunnels.to && meet(host, e.MASTHEAD_TUNNEL_HOST)
    )
    .map(({ variable }) => `MASTHEAD_TUNNEL_PORTS must leave out the port of ${variable}, which is ${e[variable]}`)
  return [...twice, ...within]
}

/** Whether two hosts share an address, as far as can be seen without looking names up. */
const meet = (one: string, other: string) => one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::')
