import { expect, test } from 'vitest'
import { staffCan, type LedgerTransaction } from './ledger.ts'
import { micros } from './money.ts'

const of = (type: LedgerTransaction['type'], source: LedgerTransaction['source'], amount: number) =>
  staffCan({ type, source, amount_micros: micros(amount), corrected_by: null })

test('staff refund usage and purchases, also usage that was reported late, but not what a dispute or a coupon took back', () => {
  expect(of('charge', 'usage', -5)).toBe('refund')
  expect(of('adjustment', 'usage', -5)).toBe('refund')
  expect(of('adjustment', 'card', -5)).toBeNull()
  expect(of('adjustment', 'system', -5)).toBeNull()
  expect(of('adjustment', 'usage', 5)).toBeNull()
})
