import { BlockList, isIPv6 } from 'node:net'

/** An address as it is compared: what says IPv4 in IPv6's figures is IPv4. */
export const plainFrom = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** Whether an address is in one of some ranges, like `203.0.113.0/24` or one address. */
export function sourcesOf(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address, length] = range.split('/') as [string, string | undefined]
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (address) => {
    const plain = plainFrom(address)
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
