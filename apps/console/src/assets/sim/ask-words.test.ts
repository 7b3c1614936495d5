import { expect, test } from 'vitest'
import { askedWords } from './ask-words.ts'

test('support reads each reason once', () => {
  expect(askedWords({ code: 'state', words: 'Inactive' })).toBe('the SIM is inactive')
  expect(askedWords({ code: 'staff', words: 'Unusual traffic' })).toBe('held by staff (Unusual traffic)')
  expect(askedWords({ code: 'staff', words: 'Held by staff: unusual traffic' })).toBe('held by staff: unusual traffic')
})
