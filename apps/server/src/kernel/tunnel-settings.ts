import * as z from 'zod/mini'

/**
 * Where tunnels to devices listen: the address, and the first and the last of their ports; 0 and 0: any free one. `domain`: below it each tunnel has
 * a name for browsers.
 */
export type TunnelSettings = { host: string; from: number; to: number; domain: string | null }

/** Null: no two ports in order. */
export function portsOf(text: string): Pick<TunnelSettings, 'from' | 'to'> | null {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text)?.map(Number) ?? []
  return from !== undefined && to !== undefined && from <= to && to <= 65_535 ? { from, to } : null
}

export const TunnelVariables = z.object({
  MASTHEAD_TUNNEL_HOST: z._default(
    z.string().check(z.regex(/^[\w.:%-]{1,253}$/, 'an address or a name of this machine, like 127.0.0.1')),
    '127.0.0.1'
  ),
  MASTHEAD_TUNNEL_PORTS: z._default(
    z.string().check(z.refine((text) => portsOf(text) !== null, 'two ports, like 40100-40199')),
    '40100-40199'
  ),
  MASTHEAD_TUNNEL_DOMAIN: z.optional(
    z
      .string()
      .check(
        z.toLowerCase(),
        z.regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'a domain, like tunnels.example.com')
      )
  ),
})

export const tunnelsOf = ({
  MASTHEAD_TUNNEL_HOST: host,
  MASTHEAD_TUNNEL_PORTS: ports,
  MASTHEAD_TUNNEL_DOMAIN: domain,
}: z.output<typeof TunnelVariables>): TunnelSettings => ({
  host,
  domain: domain ?? null,
  ...portsOf(ports)!,
})
