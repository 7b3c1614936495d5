import type { LedgerTransaction } from '@masthead/contract/billing/ledger'
import { expect, test } from 'vitest'
import { askedMicros, howMuch, priceWords } from './money-words.ts'

const line = {
  quantity: 1_572_864,
  unit: 'byte',
  unit_price_micros: 2_000_000,
  zone: 'EU1',
  zone_name: 'Europe',
  price_list: 'List',
  kb: 1024,
} as LedgerTransaction

test('data is counted in the megabytes that its price is of', () => {
  expect(howMuch(line, 'USD')).toBe('1.5 MiB × $2.00 per MiB, zone Europe')
  expect(priceWords(line, 'USD')).toBe('$2.00 per MiB, List')
  expect(howMuch({ ...line, kb: 1000 }, 'USD')).toBe('1.572864 MB × $2.00 per MB, zone Europe')
})

test('an amount that an address says is asked for as far as the server takes it', () => {
  expect(['', 'a', '-1', '0', '0.07', '99999999999', '1e300', 'Infinity'].map(askedMicros)).toEqual([
    null,
    null,
    null,
    0,
    70_000,
    1_000_000_000_000_000,
    1_000_000_000_000_000,
    1_000_000_000_000_000,
  ])
})
