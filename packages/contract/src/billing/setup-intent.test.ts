import { expect, test } from 'vitest'
import { setupIntentPhrase } from './setup-intent.ts'

test.each([
  ['requires_payment_method', 'needs a payment method'],
  ['requires_confirmation', 'is waiting for confirmation'],
  ['requires_action', 'needs extra authentication'],
  ['processing', 'is being processed'],
  ['requires_capture', 'is authorised and waiting for capture'],
  ['canceled', 'was cancelled'],
  ['succeeded', 'was completed'],
  ['', 'has an unknown status'],
  ['abandoned', 'has an unknown status'],
  ['toString', 'has an unknown status'],
])('a card whose setup intent says %j %s', (status, phrase) => expect(setupIntentPhrase(status)).toBe(phrase))
