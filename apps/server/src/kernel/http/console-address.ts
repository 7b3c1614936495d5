import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

type Built = Pick<Config, 'consoleDir'>

/** What the built console says in its page of the settings it was built with; null where it says nothing, or is not built. */
function builtWith({ consoleDir }: Built, name: 'router' | 'api'): string | null {
  const page = join(consoleDir, 'index.html')
  if (!existsSync(page)) return null
  return new RegExp(`<meta name="masthead-${name}" content="([^"]+)"`).exec(readFileSync(page, 'utf8'))?.[1] ?? null
}

/** The address of a screen below the console's own, as the console was built: behind a hash or by plain paths. */
export const screenAddress = (config: Built, path: string): string => (builtWith(config, 'router') === 'history' ? path : `/#${path}`)

/** The same for a redirect: the path below the origin. */
export const screenPath = (config: Pick<Config, 'consoleDir' | 'basePath'>, path: string): string =>
  config.basePath + screenAddress(config, path)

/** The console's own address as the browser knows it, without a slash at its end: configured, or as it was asked for. */
export const consoleAddress = ({ publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>, request: FastifyRequest): string =>
  publicUrl ? new URL(publicUrl).origin + basePath : `${request.protocol}://${request.host}`

/**
 * The path of a request below the console's own, as our routes know it. A proxy may hand on the path as it was asked or without `basePath`.
 */
export function belowBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const below = url.slice(basePath.length)
  return below === '' || below.startsWith('?') ? `/${below}` : below.startsWith('/') ? below : url
}

/** The origin that the built console asks; null where that is its own. */
export const apiOriginOf = (config: Built): string | null => URL.parse(builtWith(config, 'api') ?? '')?.origin ?? null

/** A path of this console, never an address elsewhere. */
export const ownPath = (wanted: unknown): string =>
  typeof wanted === 'string' && wanted.length <= 2000 && /^\/(?![/\\])/.test(wanted) && !/[\r\n\t]/.test(wanted) ? wanted : '/'
