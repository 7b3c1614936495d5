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

/** The address of a screen below the origin, as the console was built: behind a hash or by plain paths. */
export const screenAddress = (config: Built, path: string): string => (builtWith(config, 'router') === 'history' ? path : `/#${path}`)

/** The origin that the built console asks; null where that is its own. */
export const apiOriginOf = (config: Built): string | null => URL.parse(builtWith(config, 'api') ?? '')?.origin ?? null

/** The console's own address as the browser knows it: configured, or as it was asked for. */
export const originOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  publicUrl ? new URL(publicUrl).origin : `${request.protocol}://${request.host}`

/** A path of this console, never an address elsewhere. */
export const ownPath = (wanted: unknown): string =>
  typeof wanted === 'string' && wanted.length <= 2000 && /^\/(?![/\\])/.test(wanted) && !/[\r\n\t]/.test(wanted) ? wanted : '/'
