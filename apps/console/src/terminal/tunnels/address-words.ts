import type { Tunnel } from '@masthead/contract/terminal/tunnel'

/** Where a tunnel is reached, as it is typed: for a shell the command, for a web page its address. Null: nowhere now. */
export function addressWords({ reached_at, url, port, tls, encrypted }: Pick<Tunnel, 'reached_at' | 'url' | 'port' | 'tls' | 'encrypted'>) {
  if (reached_at === null) return url
  // TLS of ours lies around what the device speaks: what that is is not known.
  if (encrypted) return reached_at
  if (tls) return `https://${reached_at}`
  const [, host = '', ours = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(reached_at) ?? []
  return port === 22 ? `ssh -p ${ours} ${host}` : reached_at
}
