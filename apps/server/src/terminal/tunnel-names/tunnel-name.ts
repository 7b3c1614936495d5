import { tunnelId } from '@masthead/contract/terminal/tunnel'
import type { Config } from '../../kernel/config.ts'

const prefix = `${tunnelId.prefix}_`

/** The address by which a browser reaches a tunnel, where this server has a domain for that. */
export function tunnelUrl(
  { tunnels: { domain }, publicUrl }: Pick<Config, 'tunnels' | 'publicUrl'>,
  id: string,
  port: number
): string | null {
  if (domain === null) return null
  const at = publicUrl ? new URL(publicUrl) : { protocol: 'http:', port: String(port) }
  return `${at.protocol}//${id.slice(prefix.length)}.${domain}${at.port && `:${at.port}`}/`
}

/** The tunnel that a name is of; null: it is of none. */
export function tunnelNamed({ tunnels: { domain } }: Pick<Config, 'tunnels'>, name: string): string | null {
  if (domain === null || !name.endsWith(`.${domain}`)) return null
  return prefix + name.slice(0, -domain.length - 1)
}
