import { expect, test } from 'vitest'
import { isTyped } from './is-typed.ts'

test('a figure is typed as it is shown, or without its commas', () => {
  expect(isTyped('12,000', '12,000')).toBe(true)
  expect(isTyped(' 12000 ', '12,000')).toBe(true)
  expect(isTyped('12,00', '12,000')).toBe(false)
  expect(isTyped('1200', '12,000')).toBe(false)
})

test('a name is typed as it is', () => {
  expect(isTyped('truck, red ', 'truck, red')).toBe(true)
  expect(isTyped('truck red', 'truck, red')).toBe(false)
  expect(isTyped('', 'truck')).toBe(false)
})
