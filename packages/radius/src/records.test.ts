import { describe, expect, test } from 'vitest'
import { describe as inWords } from './describe.ts'
import { dictionary } from './dictionary.ts'
import type { Attributes, Definition } from './dictionary.ts'
import type { Packet } from './packet.ts'
import { decode, encode } from './packet.ts'
import { readAccounting, readRequest } from './records.ts'

function packet(attributes: Attributes): Packet {
  const decoded = decode(encode({ code: 4, identifier: 0, attributes }))
  if (typeof decoded === 'string') throw new Error(decoded)
  return decoded
}
const interim = { acct_status_type: 3, acct_session_id: 'c0a80110000000aa' }

const full: Attributes = {
  ...interim,
  user_name: 'someone@apn',
  nas_identifier: 'pgw-1',
  nas_ip: '10.0.0.1',
  nas_ipv6: '2001:db8::9',
  called_station_id: 'iot.example',
  calling_station_id: '+4915112345678',
  framed_ip: '100.64.0.9',
  framed_ipv6_prefix: '2001:db8:1::/64',
  acct_delay_time: 2,
  acct_input_octets: 100,
  acct_output_octets: 200,
  acct_input_packets: 3,
  acct_output_packets: 4,
  acct_session_time: 60,
  acct_terminate_cause: 4,
  acct_input_gigawords: 1,
  acct_output_gigawords: 0,
  event_timestamp: 1_760_000_000,
  imsi: '262011234567890',
  charging_id: 0xdeadbeef,
  pdp_type: 0,
  sgsn_address: '10.1.1.1',
  ggsn_address: '10.1.1.2',
  imsi_mccmnc: '26201',
  nsapi: '5',
  sgsn_mccmnc: '20801',
  imeisv: '3534900698733157',
  rat_type: 8,
  user_location: { type: 'tai_ecgi', mcc: '208', mnc: '01', area: 4660, cell: 0x0123456 },
  ms_time_zone: 120,
}

test('everything a gateway says, in one flat record', () => {
  expect(readAccounting(packet(full))).toEqual({
    user_name: 'someone@apn',
    nas_identifier: 'pgw-1',
    nas_ip: '10.0.0.1',
    nas_ipv6: '2001:db8::9',
    called_station_id: 'iot.example',
    calling_station_id: '+4915112345678',
    msisdn: '4915112345678',
    framed_ip: '100.64.0.9',
    framed_ipv6_prefix: '2001:db8:1::/64',
    imsi: '262011234567890',
    imeisv: '3534900698733157',
    imei: '353490069873319',
    rat: 'NB-IoT',
    home_mccmnc: '262-01',
    visited_mccmnc: '208-01',
    user_location: { type: 'tai_ecgi', mcc: '208', mnc: '01', area: 4660, cell: 0x0123456 },
    time_zone_minutes: 120,
    sgsn_address: '10.1.1.1',
    ggsn_address: '10.1.1.2',
    charging_id: 0xdeadbeef,
    nsapi: '5',
    pdp_type: 'IPv4',
    status_type: 'interim',
    session_id: 'c0a80110000000aa',
    input_octets: 2 ** 32 + 100,
    output_octets: 200,
    input_packets: 3,
    output_packets: 4,
    has_gigawords: true,
    session_time: 60,
    event_timestamp: 1_760_000_000,
    delay_time: 2,
    terminate_cause: 'Idle-Timeout',
  })
})

test('an empty request says nothing', () => {
  const record = readRequest(packet({}))
  const said = Object.values(record).filter((value) => value !== null && value !== false)
  expect(said).toEqual([])
})

describe('accounting that cannot be counted', () => {
  test.each<[string, Attributes]>([
    ['no Acct-Status-Type', { acct_session_id: 'a' }],
    ['unknown Acct-Status-Type', { acct_session_id: 'a', acct_status_type: 15 }],
    ['no Acct-Session-Id', { acct_status_type: 1 }],
    ['no Acct-Session-Id', { acct_status_type: 1, acct_session_id: '' }],
  ])('%s', (fault, attributes) => {
    expect(readAccounting(packet(attributes))).toBe(fault)
  })
})

test.each([40, 42, 43, 46, 52, 53])('attribute %i of three octets is not taken for nothing', (type) => {
  const head = encode({ code: 4, identifier: 0, attributes: interim })
  const bytes = Buffer.concat([head.subarray(0, 20), Buffer.from([type, 5, 1, 2, 3]), head.subarray(20)])
  bytes.writeUInt16BE(bytes.length, 2)
  const decoded = decode(bytes)
  if (typeof decoded === 'string') throw new Error(decoded)
  expect(readAccounting(decoded)).toBe('unreadable number')
})

test('counters that are not given are not zero', () => {
  expect(readAccounting(packet(interim))).toMatchObject({ input_octets: null, output_octets: null })
  expect(readAccounting(packet({ ...interim, acct_input_octets: 0 }))).toMatchObject({ input_octets: 0, output_octets: null })
})

test('On and Off need no session', () => {
  expect(readAccounting(packet({ acct_status_type: 7 }))).toMatchObject({ status_type: 'on', session_id: null })
  expect(readAccounting(packet({ acct_status_type: 8 }))).toMatchObject({ status_type: 'off', session_id: null })
})

test('the largest counter is exact, and stands for all above it', () => {
  const largest = { ...interim, acct_input_gigawords: 2 ** 21 - 1, acct_input_octets: 2 ** 32 - 1 }
  expect(readAccounting(packet(largest))).toMatchObject({ input_octets: Number.MAX_SAFE_INTEGER })
  const larger = { ...interim, acct_input_gigawords: 2 ** 21, acct_output_gigawords: 2 ** 32 - 1, acct_output_octets: 2 ** 32 - 1 }
  expect(readAccounting(packet(larger))).toMatchObject({ input_octets: Number.MAX_SAFE_INTEGER, output_octets: Number.MAX_SAFE_INTEGER })
})

test('gigawords of zero are gigawords', () => {
  expect(readRequest(packet({ ...interim, acct_input_gigawords: 0 })).has_gigawords).toBe(true)
  expect(readRequest(packet({ ...interim, acct_input_octets: 7 })).has_gigawords).toBe(false)
})

describe('identities are read strictly', () => {
  test.each<[Attributes, object]>([
    [{ imsi: '26201123456789\0' }, { imsi: '26201123456789' }],
    [{ imsi: '26201x234567890' }, { imsi: null }],
    [{ imsi: '2620112345678901' }, { imsi: null }],
    [{ calling_station_id: 'device-7' }, { calling_station_id: 'device-7', msisdn: null }],
    [{ calling_station_id: '4915112345678' }, { msisdn: '4915112345678' }],
    [{ imeisv: '35349006987331' }, { imei: '353490069873319' }],
    [{ imeisv: '353490069873319' }, { imei: '353490069873319' }],
    [{ imeisv: 'unknown' }, { imeisv: null, imei: null }],
    [{ sgsn_mccmnc: '2080' }, { visited_mccmnc: null }],
    [{ user_location: { type: 'cgi', mcc: '310', mnc: '410', area: 1, cell: 2 } }, { visited_mccmnc: '310-410' }],
    [{ user_name: ['first', 'second'] }, { user_name: 'first' }],
    [{ rat_type: 77 }, { rat: 'unknown (77)' }],
    [{ acct_terminate_cause: 99 }, { terminate_cause: 'unknown (99)' }],
    [{ nas_identifier: '' }, { nas_identifier: null }],
  ])('%j', (attributes, expected) => {
    expect(readRequest(packet(attributes))).toMatchObject(expected)
  })
})

test('describe shows every attribute in words, and no password', () => {
  const shown = inWords(packet({ ...full, user_password: Buffer.from('geheim'), class: Buffer.from([1, 2]) }))
  const value = (name: string) => shown.find((attribute) => attribute.name === name)?.value
  expect(shown).toHaveLength(packet(full).attributes.length + 2)
  expect(value('User-Password')).toBe('(hidden)')
  expect(value('Acct-Status-Type')).toBe('interim')
  expect(value('3GPP-RAT-Type')).toBe('NB-IoT')
  expect(value('Event-Timestamp')).toBe('2025-10-09T08:53:20.000Z')
  expect(value('Class')).toBe('0x0102')
  expect(JSON.stringify(shown)).not.toContain(Buffer.from('geheim').toString('hex'))
})

test('describe names what we do not know', () => {
  const bytes = Buffer.alloc(32)
  Buffer.from('04000020', 'hex').copy(bytes)
  Buffer.from('770301' + '1a0900000009150306', 'hex').copy(bytes, 20)
  const unknown = decode(bytes)
  if (typeof unknown === 'string') throw new Error(unknown)
  expect(inWords(unknown)).toEqual([
    { name: 'Attribute 119', value: '0x01' },
    { name: 'Vendor-Specific', value: '0x00000009150306' },
  ])
})

test('no two attributes share a number', () => {
  const numbers = (Object.values(dictionary) as Definition<unknown>[]).map(({ vendor, type }) => `${vendor}.${type}`)
  expect(new Set(numbers).size).toBe(numbers.length)
})
