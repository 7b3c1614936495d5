import type { FastifyRequest } from 'fastify'
import { crossSite, Problem } from '@masthead/contract/kernel/problem'
import type { Config } from '../config.ts'

/** Whether a browser says that another site's page sent it here. */
export const cameFromElsewhere = ({ headers }: FastifyRequest): boolean => /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Another site's page must not write with our visitor's cookie. Browsers say where a request comes from by Sec-Fetch-Site, and over plain
 * http by Origin; programs send neither. `publicUrl` is our own address where a proxy in front hides it; consoles served elsewhere are named.
 */
export function refuseCrossSite(
  { method, headers }: FastifyRequest,
  { publicUrl, consoleOrigins }: Pick<Config, 'publicUrl' | 'consoleOrigins'>
) {
  if (harmless.has(method) || consoleOrigins.includes(headers.origin ?? '')) return
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Problem(crossSite)
    return
  }
  if (headers.origin === undefined) return
  const host = URL.parse(headers.origin)?.host
  const ours = host !== undefined && (host === headers.host || (publicUrl !== undefined && host === new URL(publicUrl).host))
  if (!ours) throw new Problem(crossSite)
}
