import { BlockList } from 'node:net'

/** What a maker may on the account of a key; a member's tags limit which assets they see (none: all). */
export type MakerRights = { permissions: 'all' | readonly string[]; tags: readonly string[] }

/** No asset has this tag: what is limited to it sees none. */
const noTag = 'tag_none'

/** The scopes of a key that its maker has too: it never may more than they may now. */
export const scopesOf = (scopes: readonly string[], { permissions }: MakerRights): string[] =>
  permissions === 'all' ? [...scopes] : scopes.filter((scope) => permissions.includes(scope))

/** The tags that limit a key and its maker alike. Two limits with nothing in common leave nothing, never everything. */
export function tagsOf(tags: readonly string[], maker: MakerRights): readonly string[] {
  if (tags.length === 0) return maker.tags
  if (maker.tags.length === 0) return tags
  const both = tags.filter((tag) => maker.tags.includes(tag))
  return both.length > 0 ? both : [noTag]
}

/** Whether an address lies in any of these addresses or CIDR ranges. An IPv4 address that is written as IPv6 counts as IPv4. */
export function withinAddresses(ip: string, addresses: readonly string[]): boolean {
  const list = new BlockList()
  for (const range of addresses) {
    const [address, bits] = range.split('/') as [string, string?]
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip.split('%')[0]!
  return list.check(plain, familyOf(plain))
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/** How many of the 128 bits of an address are fixed by a range: IPv4 counts as what it is in IPv6 clothing (RFC 4291 §2.5.5.2). */
function fixedBits(range: string): number {
  const [address, bits] = range.split('/') as [string, string?]
  return familyOf(address) === 'ipv4' ? 96 + Number(bits ?? 32) : Number(bits ?? 128)
}

/** Whether every address of the narrower list is in the wider one. An empty list is everywhere. */
export function addressesWithin(narrow: readonly string[], wide: readonly string[]): boolean {
  if (wide.length === 0) return true
  if (narrow.length === 0) return false
  return narrow.every((range) => wide.some((each) => fixedBits(each) <= fixedBits(range) && withinAddresses(range.split('/')[0]!, [each])))
}
