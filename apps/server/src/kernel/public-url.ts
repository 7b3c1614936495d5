export const publicUrlWords =
  'an address of http: or https: like https://example.com or https://example.com/iot, whose path does not begin with v1, v2, static, mqtt, healthz, readyz or metrics'

/** These are ours below any path: a proxy that takes the path away would have them taken away twice. */
const ours = /^\/(v1|v2|static|mqtt|healthz|readyz|metrics)(\/|$)/

/** Whether people may reach the console by this address: a host, and a path at most. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  const { pathname, search, hash, username, password } = url
  return `${search}${hash}${username}${password}` === '' && /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(pathname) && !ours.test(pathname)
}

/** The path below which the console stands, without a slash at its end; empty for none. */
export const basePathOf = (publicUrl: string | undefined): string => (publicUrl ? new URL(publicUrl).pathname.replace(/\/+$/, '') : '')
