import fc from 'fast-check'
import { expect, test } from 'vitest'
import { iccidForms, luhnDigit, parseIccid } from './iccid.ts'

// The examples of ISO/IEC 7812-1 and of the public tables of test card numbers.
test.each([
  ['7992739871', '3'],
  ['411111111111111', '1'],
  ['49015420323751', '8'],
  ['0', '0'],
])('the check digit of %s is %s', (digits, check) => {
  expect(luhnDigit(digits)).toBe(check)
})

test.each([
  ['8944500001234567890', '8944500001234567890'],
  [' 8944 5000 0123-4567 890\n', '8944500001234567890'],
  ['894450000123456789', '894450000123456789'],
  ['89445000012345678901', '89445000012345678901'],
  ['89445000012345678', null],
  ['894450000123456789012', null],
  ['1944500001234567890', null],
  ['894450000123456789F', null],
  ['', null],
])('%j is %s', (text, iccid) => {
  expect(parseIccid(text)).toBe(iccid)
})

test('an ICCID and the same with its check digit know each other', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^89\d{16,17}$/), (short) => {
      const long = short + luhnDigit(short)
      expect(iccidForms(short)).toContain(long)
      expect(iccidForms(long)).toContain(short)
      for (const form of [...iccidForms(short), ...iccidForms(long)]) expect(form).toMatch(/^89\d{16,18}$/)
    })
  )
})
