import { expect, test } from 'vitest'
import { replyFault, requestFault } from './authenticator.ts'
import { describe } from './describe.ts'
import { dictionary } from './dictionary.ts'
import type { Definition } from './dictionary.ts'
import { decode, encode, find } from './packet.ts'
import { readAccounting, readRequest } from './records.ts'

const secret = Buffer.from('testing123')

/** Mulberry32: small, seeded, good enough to break packets with. */
function seeded(seed: number) {
  return (below: number) => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const whole = encode({
  code: 4,
  identifier: 9,
  attributes: {
    message_authenticator: Buffer.alloc(16),
    acct_status_type: 3,
    acct_session_id: 'c0a80110000000aa',
    user_password: Buffer.alloc(32),
    chap_password: Buffer.alloc(17),
    framed_ipv6_prefix: '2001:db8::/64',
    nas_ipv6: '::1',
    imsi: '262011234567890',
    imeisv: '3534900698733157',
    user_location: { type: 'tai_ncgi', mcc: '208', mnc: '01', area: 4660, cell: 77 },
    ms_time_zone: -300,
    acct_input_gigawords: 3,
    event_timestamp: 1_760_000_000,
  },
})

/** A packet broken in one to four ways: octets changed, cut, repeated or inserted; now and then nothing but noise. */
function broken(random: (below: number) => number): Buffer {
  if (random(10) === 0) return Buffer.from(Array.from({ length: random(120) }, () => random(256)))
  let bytes = Buffer.from(whole)
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(bytes.length)
    const way = random(5)
    if (way < 2) bytes[at] = random(256)
    else if (way === 2) bytes = bytes.subarray(0, at + 1)
    else if (way === 3) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at)])
    else bytes = Buffer.concat([bytes, bytes.subarray(at)])
  }
  // Most shall get past the length, to break what lies behind it.
  if (bytes.length >= 4 && random(4) > 0) bytes.writeUInt16BE(Math.min(bytes.length, 65535), 2)
  return bytes
}

test('20,000 malformed packets, each read in every way, and nothing thrown', () => {
  const random = seeded(20_260_101)
  const seen: Record<string, number> = {}
  for (let i = 0; i < 20_000; i++) {
    const bytes = broken(random)
    const packet = decode(bytes)
    const outcome = typeof packet === 'string' ? packet : 'a packet'
    seen[outcome] = (seen[outcome] ?? 0) + 1
    if (typeof packet === 'string') continue
    const fields = Object.values(readRequest(packet)).filter((field) => typeof field === 'string')
    for (const field of fields) expect(field).not.toContain('\0')
    readAccounting(packet)
    describe(packet)
    requestFault(packet, secret)
    replyFault(packet, packet.authenticator, secret)
    for (const definition of Object.values(dictionary) as Definition<unknown>[]) find(packet, definition)
  }
  expect(seen['a packet']).toBeGreaterThan(2000)
  expect(Object.keys(seen).sort()).toEqual(['a packet', 'bad attribute length', 'length mismatch', 'too long', 'too short', 'unknown code'])
})
