import { expect, test } from 'vitest'
import { pagesWords } from './TableFoot.tsx'

test('as many pages as there are; where numbers reach fewer, that is said', () => {
  expect(pagesWords(47, 47)).toBe('47')
  expect(pagesWords(1000, 2000)).toBe('2,000, the first 1,000 by number')
  expect(pagesWords(1000, null)).toBe('1,000+')
})
