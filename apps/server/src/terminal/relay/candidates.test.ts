import { expect, test } from 'vitest'
import { withinReach } from './candidates.ts'

const candidate = (address: string, protocol = 'udp') => `a=candidate:1 1 ${protocol} 2130706431 ${address} 40000 typ host`
const sdpOf = (...candidates: string[]) =>
  ['v=0', 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel', ...candidates, 'a=mid:0', ''].join('\r\n')
const kept = (from: string | null, ...addresses: string[]) =>
  withinReach(sdpOf(...addresses.map((address) => candidate(address))), from)
    .split('\r\n')
    .flatMap((line) => (line.startsWith('a=candidate') ? line.split(' ')[4]! : []))

const everywhere = [
  '8.8.8.8',
  '2a00:1450::1',
  '10.1.2.3',
  '192.168.1.5',
  'fd00::5',
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  '239.1.1.1',
  '0.0.0.0',
  'db.internal',
  'a1b2.local',
]

test('a device is sent packets where it may be: not into private networks when it comes from the open internet', () => {
  const open = ['8.8.8.8', '2a00:1450::1']
  const inside = ['10.1.2.3', '192.168.1.5', 'fd00::5']
  expect(kept('8.8.4.4', ...everywhere)).toEqual(open)
  expect(kept(null, ...everywhere)).toEqual(open)
  expect(kept('10.9.9.9', ...everywhere)).toEqual([...open, ...inside])
  expect(kept('::ffff:10.9.9.9', ...everywhere)).toEqual([...open, ...inside])
  expect(kept('127.0.0.1', ...everywhere)).toEqual([...open, ...inside, '127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
})

test('the rest of the description stays as it is, by TCP nothing is tried, and there is an end to it', () => {
  expect(withinReach(sdpOf(candidate('8.8.8.8', 'tcp')), '8.8.4.4')).toBe(sdpOf())
  const plain = sdpOf(candidate('8.8.8.8'))
  expect(withinReach(plain, '8.8.4.4')).toBe(plain)
  expect(kept('8.8.4.4', ...Array.from({ length: 300 }, (_, nth) => `8.8.8.${nth % 250}`))).toHaveLength(20)
})
