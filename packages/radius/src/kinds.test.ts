import { describe, expect, test } from 'vitest'
import { formatIPv6, parseIPv6 } from './ipv6.ts'
import { ipv6prefix, readText, text } from './kinds.ts'
import { location, readPlmn, timeZone, writePlmn } from './location.ts'
import { errorCauses, numberFor, ratTypes, wordFor } from './words.ts'

const read = <T>(kind: { read(bytes: Buffer, from: number, to: number): T }, hex: string) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  return kind.read(bytes, 0, bytes.length)
}

test.each([
  ['plain words', Buffer.from('abc'), 'abc'],
  ['UTF-8', Buffer.from('Zürich 中'), 'Zürich 中'],
  ['NULs behind', Buffer.from('123\0\0'), '123'],
  ['a NUL inside', Buffer.from('1\0 2'), '1\\x00 2'],
  ['what is not UTF-8', Buffer.from([0x61, 0xff, 0x5c, 0x62]), 'a\\xff\\x5cb'],
  ['a line feed', Buffer.from('a\nb'), 'a\\x0ab'],
  ['a turn of direction', Buffer.from('a\u202eb'), 'a\\xe2\\x80\\xaeb'],
  ['a blank without width', Buffer.from('a\u200bb'), 'a\\xe2\\x80\\x8bb'],
])('text: %s', (_, bytes, words) => {
  expect(readText(bytes, 0, bytes.length)).toBe(words)
  expect(text.write(words).toString('hex')).toBe(bytes.toString('hex').replace(/(00)+$/, ''))
})

test('words that only look as if they stood for octets are written as they are', () => {
  for (const words of ['\\x41', 'DOM\\xavier', '\\x', '中\\x01']) expect(text.write(words)).toEqual(Buffer.from(words))
})

test.each([
  ['::', '00000000000000000000000000000000'],
  ['::1', '00000000000000000000000000000001'],
  ['2001:db8::8:800:200c:417a', '20010db80000000000080800200c417a'],
  ['1:0:0:2::3', '00010000000000020000000000000003'],
  ['1:2:3:4:5:6:0:8', '00010002000300040005000600000008'],
  ['fe80::', 'fe800000000000000000000000000000'],
])('IPv6 %s', (words, hex) => {
  expect(formatIPv6(Buffer.from(hex, 'hex'))).toBe(words)
  expect(parseIPv6(words).toString('hex')).toBe(hex)
})

test('IPv6 with an IPv4 end', () => {
  expect(parseIPv6('::ffff:1.2.3.4').toString('hex')).toBe('00000000000000000000ffff01020304')
})

test.each([
  ['00 40 20010db800010000', '2001:db8:1::/64'],
  ['00 00', '::/0'],
  ['00 40 20010db8', null],
  ['00 81 20010db8000100000000000000000000', null],
  ['00', null],
  ['', null],
])('IPv6 prefix %s', (hex, expected) => {
  expect(read(ipv6prefix, hex)).toBe(expected)
})

describe('user location', () => {
  test.each([
    ['00 62f210 1234 abcd', { type: 'cgi', mcc: '262', mnc: '01', area: 0x1234, cell: 0xabcd }],
    ['01 130014 0001 0002', { type: 'sai', mcc: '310', mnc: '410', area: 1, cell: 2 }],
    ['02 62f210 1234 05ff', { type: 'rai', mcc: '262', mnc: '01', area: 0x1234, cell: 0x05ff }],
    ['20 62f210 1234', { type: 'lai', mcc: '262', mnc: '01', area: 0x1234, cell: null }],
    ['80 62f210 1234', { type: 'tai', mcc: '262', mnc: '01', area: 0x1234, cell: null }],
    ['81 62f210 f0123456', { type: 'ecgi', mcc: '262', mnc: '01', area: null, cell: 0x0123456 }],
    ['82 62f210 1234 62f210 01234567', { type: 'tai_ecgi', mcc: '262', mnc: '01', area: 0x1234, cell: 0x1234567 }],
    ['87 62f210 f912345678', { type: 'ncgi', mcc: '262', mnc: '01', area: null, cell: 0x912345678 }],
    ['88 62f210 123456', { type: 'tai_5gs', mcc: '262', mnc: '01', area: 0x123456, cell: null }],
    ['89 62f210 123456 62f210 0912345678', { type: 'tai_ncgi', mcc: '262', mnc: '01', area: 0x123456, cell: 0x912345678 }],
    ['82 62f210 1234 62f210 012345', null],
    ['00 62f210 1234', null],
    ['00 6af210 1234 abcd', null],
    ['63 62f210 1234', null],
    ['', null],
  ])('%s', (hex, expected) => {
    expect(read(location, hex)).toEqual(expected)
  })
})

test('a network in TBCD, of two and three digits', () => {
  expect(writePlmn('262', '01').toString('hex')).toBe('62f210')
  expect(writePlmn('310', '410').toString('hex')).toBe('130014')
  expect(readPlmn(Buffer.from('21f3', 'hex'), 0)).toBeNull()
})

test.each([
  ['4000', 60],
  ['8001', 120],
  ['2900', -180],
  ['0a00', -300],
  ['0000', 0],
  ['f000', null],
  ['40', null],
])('time zone %s', (hex, minutes) => {
  expect(read(timeZone, hex)).toBe(minutes)
})

test('words and numbers of the tables', () => {
  expect(wordFor(errorCauses, 503)).toBe('session context not found')
  expect(wordFor(ratTypes, 99)).toBe('unknown (99)')
  expect(numberFor(ratTypes, 'NB-IoT')).toBe(8)
})
