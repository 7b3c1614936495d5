import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** The address of a screen below the origin: the built console says in its page which way of routing it was built for. */
export function screenAddress({ consoleDir }: Pick<Config, 'consoleDir'>, path: string): string {
  const page = join(consoleDir, 'index.html')
  const byHistory = existsSync(page) && /<meta name="masthead-router" content="history"/.test(readFileSync(page, 'utf8'))
  return byHistory ? path : `/#${path}`
}

/** The console's own address as the browser knows it: configured, or as it was asked for. */
export const originOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  publicUrl ? new URL(publicUrl).origin : `${request.protocol}://${request.host}`

/** A path of this console, never an address elsewhere. */
export const ownPath = (wanted: unknown): string =>
  typeof wanted === 'string' && wanted.length <= 2000 && /^\/(?![/\\])/.test(wanted) && !/[\r\n\t]/.test(wanted) ? wanted : '/'
