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
/** One without a name is sent back as its value alone, which may read like one of ours. */
const isOurs = (cookie: string) => /^\s*=?\s*(__host-|__secure-)?masthead_/i.test(cookie)
/** Browsers pass over blanks around the name of an attribute. */
const isDomain = (attribute: string) => /^\s*domain\s*(=|$)/i.test(attribute)
const forItself = (cookie: string) =>
  cookie
    .split(';')
    .filter((part, nth) => nth === 0 || !isDomain(part))
    .join(';')

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
  const kept = (set as string[] | undefined)?.filter((one) => !isOurs(one)).map(forItself)
  return { ...rest, ...(kept && kept.length > 0 && { 'set-cookie': kept }) }
}
