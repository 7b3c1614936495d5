import { expect, test } from 'vitest'
import { placesWords } from './places-words.ts'

test('one country is named, whole or in part; of several their number is said', () => {
  expect(placesWords({ countries: ['DE'], networks: [] })).toEqual({ first: 'Germany', second: null })
  expect(placesWords({ countries: [], networks: ['262-01'] })).toEqual({ first: 'Germany', second: '1 operator' })
  expect(placesWords({ countries: ['NL'], networks: ['262-01', '262-02'] })).toEqual({ first: '2 countries', second: '1 in part, 2 operators' })
  expect(placesWords({ countries: null, networks: [] })).toEqual({ first: 'Everywhere', second: null })
  expect(placesWords({ countries: [], networks: [] }).first).toBe('Nowhere')
})
