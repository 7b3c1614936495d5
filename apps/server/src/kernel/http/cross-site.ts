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
  if (!isOurs(headers, publicUrl)) throw new Problem(crossSite)
}

function isOurs({ origin, host: asked }: FastifyRequest['headers'], publicUrl: string | undefined): boolean {
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  return host !== undefined && (host === asked || (publicUrl !== undefined && host === new URL(publicUrl).host))
}

/** Whether a WebSocket was opened by a page of ours: a browser says by whose, and asks nobody whether it may. */
export const isOwnOrigin = (headers: FastifyRequest['headers'], config: Pick<Config, 'publicUrl' | 'consoleOrigins'>): boolean =>
  config.consoleOrigins.includes(headers.origin ?? '') || isOurs(headers, config.publicUrl)
