import type { DesiredContainer, RestartPolicy } from '@masthead/contract/devices/agent/container'

/** By these a container of ours is known, and which wish it was made by. */
export const labels = { name: 'masthead.container', generation: 'masthead.generation', restart: 'masthead.restart' } as const

// Docker starts what is `always` again when it starts itself, even what was stopped on purpose.
const policies: Record<RestartPolicy, string> = { always: 'unless-stopped', on_failure: 'on-failure', no: 'no' }
const second = 1_000_000_000 // ns

/** What an engine is asked with to make a container. */
export function creationOf(wanted: DesiredContainer): { name: string; body: object } {
  const { name, generation, restart, image, ports, volumes, environment, restart_policy, health } = wanted
  const byPort = Map.groupBy(ports, ({ container, protocol }) => `${container}/${protocol}`)
  return {
    // With the generation, so that it can be made while the one before it is still there; no name of ours has a full stop.
    name: `masthead-${name}.${generation}`,
    body: {
      Image: image,
      Env: environment.map((each) => `${each.name}=${each.value}`),
      Labels: { [labels.name]: name, [labels.generation]: String(generation), [labels.restart]: String(restart) },
      ExposedPorts: Object.fromEntries([...byPort.keys()].map((port) => [port, {}])),
      ...(health && {
        Healthcheck: {
          Test: ['CMD-SHELL', health.command],
          Interval: health.every_s * second,
          Timeout: Math.min(health.every_s, 30) * second,
          Retries: health.retries,
          StartPeriod: health.start_s * second,
        },
      }),
      HostConfig: {
        Binds: volumes.map((each) => `${each.host}:${each.container}:${each.mode}`),
        PortBindings: Object.fromEntries([...byPort].map(([port, all]) => [port, all.map(({ host }) => ({ HostPort: String(host) }))])),
        RestartPolicy: { Name: policies[restart_policy] },
        LogConfig: { Type: 'json-file', Config: { 'max-size': '5m', 'max-file': '2' } },
      },
    },
  }
}
