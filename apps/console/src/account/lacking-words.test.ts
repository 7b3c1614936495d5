import { expect, test } from 'vitest'
import { lackingWords } from './lacking-words.ts'

test.each([
  ['a', 'a has no second factor yet.'],
  ['a b', 'a and b have no second factor yet.'],
  ['a b c', 'a, b and c have no second factor yet.'],
  ['a b c d', 'a, b, c and 1 more have no second factor yet.'],
  ['a b c d e', 'a, b, c and 2 more have no second factor yet.'],
])('%s', (emails, words) => expect(lackingWords(emails.split(' '))).toBe(words))
