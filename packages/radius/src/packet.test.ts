import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dictionary } from './dictionary.ts'
import type { AttributeName, Attributes, Definition } from './dictionary.ts'
import type { Packet } from './packet.ts'
import { decode, encode, find } from './packet.ts'
import { RadiusError } from './radius-error.ts'

function packet(bytes: Buffer): Packet {
  const decoded = decode(bytes)
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}
const withAttributes = (...octets: number[]) => {
  const bytes = Buffer.concat([Buffer.alloc(20), Buffer.from(octets)])
  bytes[0] = 4
  bytes.writeUInt16BE(bytes.length, 2)
  return bytes
}

describe('decode', () => {
  const good = encode({ code: 4, identifier: 7, attributes: { user_name: 'a', proxy_state: Buffer.from('z') } })
  const changed = (at: number, octet: number) => Buffer.from(good).fill(octet, at, at + 1)

  test.each([
    ['nothing', Buffer.alloc(0), 'too short'],
    ['half a header', good.subarray(0, 19), 'too short'],
    ['a length below the header', changed(3, 19), 'too short'],
    ['a length of more than 4096', Buffer.concat([changed(2, 0x20), Buffer.alloc(9000)]), 'too long'],
    ['a length beyond the datagram', good.subarray(0, good.length - 1), 'length mismatch'],
    ['an unknown code', changed(0, 99), 'unknown code'],
    ['an attribute of length 0', changed(21, 0), 'bad attribute length'],
    ['an attribute of length 1', changed(21, 1), 'bad attribute length'],
    ['an attribute beyond the packet', changed(24, 200), 'bad attribute length'],
    ['one octet left over', withAttributes(1), 'bad attribute length'],
    ['a short Message-Authenticator', withAttributes(80, 4, 0, 0), 'bad attribute length'],
  ])('says what is wrong with %s', (_, bytes, reason) => {
    expect(decode(bytes)).toBe(reason)
  })

  test('leaves padding out', () => {
    const padded = packet(Buffer.concat([good, Buffer.from('padding')]))
    expect(padded.bytes).toEqual(good)
    expect(padded.attributes).toHaveLength(2)
  })

  test('knows code, identifier and authenticator', () => {
    expect(packet(good)).toMatchObject({ code: 4, identifier: 7, authenticator: Buffer.alloc(16) })
  })
})

describe('vendor attributes', () => {
  const vendor = [0, 0, 0x28, 0xaf]

  test('several in one', () => {
    const both = packet(withAttributes(26, 14, ...vendor, 10, 3, 0x35, 21, 3, 6, 19, 2))
    expect(both.attributes.map(({ vendor: v, type }) => [v, type])).toEqual([
      [10415, 10],
      [10415, 21],
      [10415, 19],
    ])
    expect(find(both, dictionary.nsapi)).toBe('5')
    expect(find(both, dictionary.rat_type)).toBe(6)
    expect(find(both, dictionary.teardown_indicator)).toBeNull()
  })

  test.each([
    ['of another vendor', [26, 9, 0, 0, 0, 9, 21, 3, 6]],
    ['broken inside', [26, 12, ...vendor, 21, 3, 6, 10, 9, 0]],
    ['with a sub-attribute of length 0', [26, 9, ...vendor, 21, 0, 6]],
    ['empty', [26, 6, ...vendor]],
    ['shorter than a vendor number', [26, 4, 0, 0]],
  ])('stay raw when %s', (_, octets) => {
    const raw = packet(withAttributes(...octets))
    expect(raw.attributes).toEqual([{ vendor: 0, type: 26, value: Buffer.from(octets.slice(2)) }])
    expect(find(raw, dictionary.rat_type)).toBeNull()
  })
})

describe('encode', () => {
  test.each<[string, Attributes]>([
    ['a text of 254 octets', { user_name: 'x'.repeat(254) }],
    ['a vendor text of 248 octets', { imsi: '1'.repeat(248) }],
    ['more than 4096 octets in all', { proxy_state: Array.from({ length: 17 }, () => Buffer.alloc(253)) }],
    ['a number of 33 bits', { session_timeout: 2 ** 32 }],
    ['a negative number', { session_timeout: -1 }],
    ['a fraction', { session_timeout: 1.5 }],
    ['an octet of 256', { rat_type: 256 }],
    ['a bad address', { nas_ip: '1.2.3.256' }],
    ['a bad IPv6 prefix', { framed_ipv6_prefix: '2001:db8::/129' }],
    ['a bad IPv6 address', { nas_ipv6: '2001:db8' }],
    ['a bad network', { user_location: { type: 'tai', mcc: '26', mnc: '01', area: 1, cell: null } }],
    ['a location without its cell', { user_location: { type: 'cgi', mcc: '262', mnc: '01', area: 1, cell: null } }],
    ['a bad time zone', { ms_time_zone: 7 }],
    ['an attribute nobody knows', { nonsense: 1 } as unknown as Attributes],
  ])('throws the declared error for %s', (_, attributes) => {
    expect(() => encode({ code: 4, identifier: 0, attributes })).toThrow(RadiusError)
  })

  test('keeps the order and repeats what is a list', () => {
    const bytes = encode({ code: 4, identifier: 0, attributes: { proxy_state: [Buffer.from('a'), Buffer.from('b')], user_name: 'c' } })
    expect(packet(bytes).attributes.map(({ type, value }) => [type, value.toString()])).toEqual([
      [33, 'a'],
      [33, 'b'],
      [1, 'c'],
    ])
  })
})

const octet = fc.integer({ min: 0, max: 255 })
const integer = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const mnc = fc.oneof(digits(2), digits(3))
const values: Record<string, fc.Arbitrary<unknown>> = {
  text: fc.string({ maxLength: 80, unit: fc.constantFrom(...'abcXYZ019 @.-\\é中🛰') }),
  integer,
  time: integer,
  octet,
  octets: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  address: fc.ipV4(),
  ipv6: fc.ipV6(),
  ipv6prefix: fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([ip, bits]) => `${ip}/${bits}`),
  location: fc.oneof(
    fc.record({ type: fc.constantFrom('cgi', 'sai', 'rai'), mcc: digits(3), mnc, area: fc.nat(65535), cell: fc.nat(65535) }),
    fc.record({ type: fc.constantFrom('lai', 'tai'), mcc: digits(3), mnc, area: fc.nat(65535), cell: fc.constant(null) }),
    fc.record({ type: fc.constant('tai_ecgi'), mcc: digits(3), mnc, area: fc.nat(65535), cell: fc.nat(2 ** 28 - 1) }),
    fc.record({ type: fc.constant('ecgi'), mcc: digits(3), mnc, area: fc.constant(null), cell: fc.nat(2 ** 28 - 1) }),
    fc.record({
      type: fc.constant('tai_ncgi'),
      mcc: digits(3),
      mnc,
      area: fc.nat(2 ** 24 - 1),
      cell: fc.maxSafeNat().map((n) => n % 2 ** 36),
    }),
    fc.record({ type: fc.constant('ncgi'), mcc: digits(3), mnc, area: fc.constant(null), cell: fc.nat(2 ** 30) }),
    fc.record({ type: fc.constant('tai_5gs'), mcc: digits(3), mnc, area: fc.nat(2 ** 24 - 1), cell: fc.constant(null) })
  ),
  'time zone': fc.integer({ min: -79, max: 79 }).map((quarters) => quarters * 15 || 0),
}

describe('what goes in comes out', () => {
  const spelled = new Set(['ipv6', 'ipv6prefix']) // may come back in a shorter spelling
  test.each(Object.entries(dictionary) as [AttributeName, Definition<unknown>][])('%s', (name, definition) => {
    const { kind } = definition
    const value =
      name === 'message_authenticator' ? fc.uint8Array({ minLength: 16, maxLength: 16 }).map((b) => Buffer.from(b)) : values[kind.name]!
    fc.assert(
      fc.property(value, octet, (given, identifier) => {
        const decoded = packet(encode({ code: 4, identifier, attributes: { [name]: given } }))
        const back = find(decoded, definition)
        expect(decoded.identifier).toBe(identifier)
        if (!spelled.has(kind.name)) expect(back).toEqual(given)
        else expect(kind.write(back)).toEqual(kind.write(given))
      }),
      { numRuns: 50 }
    )
  })
})
