import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'

/** IPv4 that is not the open internet (RFC 6890 and later): private, loopback, link-local with the clouds' metadata, tests, multicast. */
const closed = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])
  addRange(closed, range, 'ipv4')

/** Of IPv6 only 2000::/3 is the open internet, without what carries IPv4 inside (Teredo, 6to4) and what is for documents. */
const open = new BlockList()
addRange(open, '2000::/3', 'ipv6')
const closed6 = new BlockList()
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addRange(closed6, range, 'ipv6')

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6') {
  const [address, bits] = range.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

/** Whether an address is one of the open internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  return family === 6 && open.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

/** What a connection fails with that would have gone into a private network. */
export class PrivateAddress extends Error {
  readonly name = 'PrivateAddress'
  constructor(host: string) {
    super(`${host} leads into a private network`)
  }
}

type Done = (error: Error | null, address?: string | LookupAddress[], family?: number) => void

/**
 * A look-up for `http.request` that refuses hosts with any address in a private network. The connection goes to the very addresses that
 * were checked, so a name that answers differently the next time gains nothing.
 */
export function lookupPublic(host: string, options: LookupOptions, done: Done): void {
  dnsLookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error)
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) return done(new PrivateAddress(host))
    if (options.all) return done(null, addresses)
    done(null, addresses[0]!.address, addresses[0]!.family)
  })
}

/** The host of an address as `net` wants it: without the brackets of IPv6, and without the dot of the root. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$|\.$/g, '')

/** Why a webhook may not go to an address, as far as can be said without asking the network; null when it may. */
export function urlProblem(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'Enter an address, like https://example.com/hooks'
  if (url.username || url.password) return 'Leave name and password out of the address, because deliveries are signed'
  if (allowPrivate) return null
  if (url.protocol !== 'https:') return 'Use https, so that nobody can read the deliveries'
  const host = hostOf(url)
  const named = isIP(host) === 0
  if (named ? host === 'localhost' || !host.includes('.') || /\.(localhost|local|internal)$/.test(host) : !isPublicAddress(host))
    return 'This address leads into a private network, where webhooks may not go'
  return null
}
