import { expect, test } from 'vitest'
import { replyFault, requestFault } from './authenticator.ts'
import { dictionary } from './dictionary.ts'
import type { Packet } from './packet.ts'
import { decode, encode, find } from './packet.ts'
import { readRequest } from './records.ts'

// The examples of RFC 2865 §7, octet by octet.
const secret = Buffer.from('xyzzy5461')
const octets = (hex: string) => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')

function packet(hex: string): Packet {
  const decoded = decode(octets(hex))
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}

const nemo = packet(`01 00 00 38 0f 40 3f 94 73 97 80 57 bd 83 d5 cb 98 f4 22 7a 01 06 6e 65 6d 6f
  02 12 0d be 70 8d 93 d4 13 ce 31 96 e4 3f 78 2a 0a ee 04 06 c0 a8 01 10 05 06 00 00 00 03`)
const nemoAccepted = packet(`02 00 00 26 86 fe 22 0e 76 24 ba 2a 10 05 f6 bf 9b 55 e0 b2
  06 06 00 00 00 01 0f 06 00 00 00 00 0e 06 c0 a8 01 03`)
const flopsy = packet(`01 01 00 47 2a ee 86 f0 8d 0d 55 96 9c a5 97 8e 0d 33 67 a2 01 08 66 6c 6f 70 73 79
  03 13 16 e9 75 57 c3 16 18 58 95 f2 93 ff 63 44 07 72 75 04 06 c0 a8 01 10 05 06 00 00 00 14 06 06 00 00 00 02 07 06 00 00 00 01`)
const flopsyAccepted = packet(`02 01 00 38 15 ef bc 7d ab 26 cf a3 dc 34 d9 c0 3c 86 01 a4
  06 06 00 00 00 02 07 06 00 00 00 01 08 06 ff ff ff fe 0a 06 00 00 00 02 0d 06 00 00 00 01 0c 06 00 00 05 dc`)

test('§7.1 a user by password', () => {
  expect(readRequest(nemo)).toMatchObject({ user_name: 'nemo', nas_ip: '192.168.1.16' })
  expect(find(nemo, dictionary.nas_port)).toBe(3)
  expect(requestFault(nemo, secret)).toBe('no Message-Authenticator')
})

test('§7.1 its request, encoded, is the same octets', () => {
  const bytes = encode({
    code: 1,
    identifier: 0,
    authenticator: nemo.authenticator,
    attributes: {
      user_name: 'nemo',
      user_password: find(nemo, dictionary.user_password)!,
      nas_ip: '192.168.1.16',
      nas_port: 3,
    },
  })
  expect(bytes).toEqual(nemo.bytes)
})

test('§7.1 its Accept answers that request and no other', () => {
  // The right Response Authenticator: only the newer demand for a Message-Authenticator is left to complain of.
  expect(replyFault(nemoAccepted, nemo.authenticator, secret)).toBe('no Message-Authenticator')
  expect(replyFault(nemoAccepted, flopsy.authenticator, secret)).toBe('wrong authenticator')
  expect(find(nemoAccepted, dictionary.login_ip_host)).toBe('192.168.1.3')
})

test('§7.2 a user by CHAP', () => {
  expect(readRequest(flopsy)).toMatchObject({ user_name: 'flopsy', nas_ip: '192.168.1.16' })
  expect(replyFault(flopsyAccepted, flopsy.authenticator, secret)).toBe('no Message-Authenticator')
  expect(find(flopsyAccepted, dictionary.framed_ip)).toBe('255.255.255.254')
  expect(find(flopsyAccepted, dictionary.framed_mtu)).toBe(1500)
})
