import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** They are of one connection, and not of what goes through it (RFC 9110 §7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
])
const isOurs = (cookie: string) => /^\s*(__host-|__secure-)?masthead_/i.test(cookie)

const without = (headers: IncomingHttpHeaders, upgrades: boolean): OutgoingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name))),
  ...(upgrades && { connection: 'upgrade', upgrade: headers.upgrade }),
})

type Asked = { headers: IncomingHttpHeaders; from: string; protocol: string; upgrades?: boolean }

/** What a device gets of a request: no cookie of the console reaches it. */
export function toDevice({ headers, from, protocol, upgrades = false }: Asked): OutgoingHttpHeaders {
  const { cookie, ...rest } = without(headers, upgrades)
  const kept = String(cookie ?? '')
    .split(';')
    .filter((one) => one.trim() !== '' && !isOurs(one))
    .join(';')
    .trim()
  return {
    ...rest,
    ...(kept && { cookie: kept }),
    'x-forwarded-for': from,
    'x-forwarded-proto': protocol,
    'x-forwarded-host': headers.host,
  }
}

/** What a browser gets of the answer. A cookie that a device sets is for its own name alone. */
export function fromDevice(headers: IncomingHttpHeaders, upgrades = false): OutgoingHttpHeaders {
  const { 'set-cookie': set, ...rest } = without(headers, upgrades)
  const kept = (set as string[] | undefined)?.filter((one) => !isOurs(one)).map((one) => one.replace(/;\s*domain=[^;]*/gi, ''))
  return { ...rest, ...(kept && kept.length > 0 && { 'set-cookie': kept }) }
}
