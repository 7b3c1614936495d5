import { expect, test } from 'vitest'
import { acceptsDevice, parseImei } from './device.ts'

// The example of 3GPP TS 23.003 and one of GSMA's.
test.each([
  ['490154203237518', '490154203237518'],
  ['49015420323751', '490154203237518'],
  ['49-015420-323751-8', '490154203237518'],
  ['4901542032375101', '490154203237518'],
  ['490154203237519', null],
  ['49015420323', null],
  ['imei', null],
])('%j is the IMEI %s', (text, imei) => expect(parseImei(text)).toBe(imei))

test('a lock accepts its devices, with or without the check digit, and the first where it knows none', () => {
  const rule = (imei_lock: 'off' | 'watch' | 'lock', ...imeis: string[]) => acceptsDevice({ imei_lock, imeis }, '490154203237518')
  expect([rule('off', '356938035643809'), rule('watch', '356938035643809'), rule('lock', '356938035643809')]).toEqual([true, true, false])
  expect([rule('lock'), rule('lock', '490154203237518'), rule('lock', '49015420323751')]).toEqual([true, true, true])
})
