import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostUnknown, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Config } from '../config.ts'

/** Whether a name of a host (lower case, without its port) is one of ours beside the configured one. Tunnels and a registry have such names. */
export type OtherNames = (name: string) => boolean

const healthPaths = new Set(['/healthz', '/readyz'])
/** CORE devices ask by a name that is built into them. A browser brings nothing there that opens anything: what counts is the token in the body. */
const deviceNames: unknown[] = ['api.sixfab.com', 'api.sixfab.dev']
const devicePath = '/v1/core/deploy'

/**
 * Refuses a request that was not meant for us. A page of another site can have its own name lead to this machine (DNS rebinding): its browser
 * then takes us for that site, and only the Host still says whose page it is. An IP address, and localhost, are nobody else's name. It takes
 * the request as it came, so that an upgrade (WebSocket) is asked the same. Throws invalid_request or host_unknown.
 */
export function checkHost(
  request: IncomingMessage,
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
  isOther: OtherNames = () => false
): void {
  const given = request.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length
  if (given > 1) throw new Problem(invalidRequest, 'The request has two Host headers: send one')
  const path = (request.url ?? '').replace(/\?.*$/s, '')
  // Monitoring asks at any address of the process.
  if (healthPaths.has(path)) return
  const own = publicUrl && nameOf(new URL(publicUrl).host)
  const check = (host: string | undefined, numbersToo: boolean) => {
    const name = nameOf(host)
    const isDevices = path === devicePath && deviceNames.includes(name)
    const ours = name !== null && (name === own || isOther(name) || isDevices || (numbersToo && isNumber(name)))
    if (!ours) throw refusal(host, own)
  }
  const forwarded = trustProxy > 0 ? lastOf(request.headers['x-forwarded-host']) : undefined
  if (forwarded !== undefined) check(forwarded, !own)
  // A trusted proxy may ask by our IP address and name the host in X-Forwarded-Host; Prometheus has the IP address alone.
  check(request.headers.host, !own || forwarded !== undefined || path === '/metrics')
  // With a whole address in its first line a request is meant for that one, whatever its Host says (RFC 9112 §3.2.2).
  if (request.url && !/^[/*]/.test(request.url)) check(URL.parse(request.url)?.host, !own)
}

/** The name in a Host, without the port; null for what is none. */
function nameOf(host: string | undefined): string | null {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/i.exec(host ?? '') ?? []
  return name?.toLowerCase() ?? null
}

const isNumber = (name: string) => name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0

const lastOf = (header: string | string[] | undefined) => [header ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined

function refusal(host: string | undefined, own: string | null | undefined): Problem {
  const asked = host ? `“${host.slice(0, 100)}”` : 'a request without a Host'
  const words = own
    ? `Masthead does not answer to ${asked}, but only to the address in MASTHEAD_PUBLIC_URL. A proxy in front has to hand the Host on`
    : `Masthead does not answer to ${asked}: set MASTHEAD_PUBLIC_URL to the address that people use. Until then it answers to an IP address and to localhost`
  return new Problem(hostUnknown, words)
}
