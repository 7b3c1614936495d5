import { expect, test } from 'vitest'
import { beforeTax, taxOn, taxWords, withTax } from './tax.ts'

const vat = { name: 'VAT', basis_points: 2500 }

test('25 % of 750.88 is 187.72; 19 % of 10.50 is 1.995, half to even 2.00; 7.7 % of 12.35 is 0.95', () => {
  expect(taxOn(750_880_000, vat)).toBe(187_720_000)
  expect(taxOn(10_500_000, { name: 'MwSt.', basis_points: 1900 })).toBe(2_000_000)
  expect(taxOn(12_350_000, { name: 'MWST', basis_points: 770 })).toBe(950_000)
  expect(taxOn(10_000_000, null)).toBe(0)
  expect(taxWords(vat)).toBe('VAT 25 %')
})

test('all of a payment comes apart as it was put together, and a part to the cent', () => {
  const paid = { amount_micros: 50_000_000, tax_micros: 12_500_000 }
  expect(beforeTax(62_500_000, paid)).toBe(50_000_000)
  expect(withTax(20_000_000, paid)).toBe(25_000_000)
  expect(beforeTax(25_000_000, paid)).toBe(20_000_000)
  // 10.00 of 62.50 is 8.00 before tax.
  expect(beforeTax(10_000_000, paid)).toBe(8_000_000)
  expect(beforeTax(30_000_000, { amount_micros: 30_000_000, tax_micros: 0 })).toBe(30_000_000)
})

test('every amount in cents finds its way back through its tax', () => {
  const paid = { amount_micros: 100_000_000, tax_micros: taxOn(100_000_000, { name: 'x', basis_points: 1937 }) }
  for (let cents = 1; cents < 10_000; cents += 7) expect(beforeTax(withTax(cents * 10_000, paid), paid)).toBe(cents * 10_000)
})
