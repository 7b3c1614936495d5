import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from '../../developers/index.ts'
import { plainFrom } from '../tunnels/sources.ts'

/** We send a packet to each of them. */
const mostCandidates = 20

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Addresses of no device: of this network alone, with the metadata of clouds, of many at once, and of IPv6 what leads to any of IPv4 (NAT64, 6to4). */
const nobodys = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  nobodys.addSubnet(network, bits, 'ipv4')
nobodys.addAddress('::', 'ipv6')
nobodys.addSubnet('fe80::', 10, 'ipv6')
nobodys.addSubnet('ff00::', 8, 'ipv6')
nobodys.addSubnet('64:ff9b::', 32, 'ipv6')
nobodys.addSubnet('2002::', 16, 'ipv6')

const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * The description of a peer with those candidates alone where a device may be that was last heard from at `from` (null: not known). It says itself where it
 * is, and we send packets there: one that comes from the open internet is in no private network of ours, and only one on this machine is at its loopback.
 */
export function withinReach(sdp: string, from: string | null): string {
  let left = mostCandidates
  return sdp
    .split(/\r?\n/)
    .filter((line) => {
      if (!/^a=candidate:/i.test(line)) return true
      const [, , protocol = '', , address = ''] = line.split(' ')
      return protocol.toLowerCase() === 'udp' && mayBeAt(plainFrom(address), from === null ? null : plainFrom(from)) && left-- > 0
    })
    .join('\r\n')
}

function mayBeAt(address: string, from: string | null): boolean {
  // A name would be asked for at name servers.
  if (isIP(address) === 0) return false
  if (isPublicAddress(address)) return true
  if (from === null || isIP(from) === 0 || isPublicAddress(from) || isIn(nobodys, address)) return false
  return !isIn(loopback, address) || isIn(loopback, from)
}
