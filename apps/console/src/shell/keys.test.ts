import { expect, test } from 'vitest'
import { wishOf, type Wish } from './keys.ts'

const free = { writing: false, dialog: false }
const plain = { ctrlKey: false, metaKey: false, altKey: false }

test.each<[string, object, object, Wish | null]>([
  ['k', { metaKey: true }, {}, 'palette'],
  ['K', { ctrlKey: true }, { writing: true }, 'palette'],
  ['k', { ctrlKey: true }, { dialog: true }, null],
  ['k', {}, {}, null],
  ['/', {}, {}, 'search'],
  ['/', {}, { writing: true }, null],
  ['/', { ctrlKey: true }, {}, null],
  ['?', {}, {}, 'keys'],
  ['?', {}, { writing: true }, null],
  ['?', {}, { dialog: true }, null],
])('%s %j %j is %s', (key, held, where, wish) => {
  expect(wishOf({ key, ...plain, ...held }, { ...free, ...where })).toBe(wish)
})
