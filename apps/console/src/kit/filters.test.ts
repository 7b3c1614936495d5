import { expect, test } from 'vitest'
import { filterWords } from './filters.ts'

const filter = {
  key: 'type',
  label: 'Type',
  multiple: true,
  options: [
    { value: 'core', label: 'CORE' },
    { value: 'x4', label: 'ALPON X4' },
  ],
}

test.each([
  [undefined, null],
  ['', null],
  [[], null],
  ['core', { verb: 'is', value: 'CORE' }],
  [['core', 'x4'], { verb: 'is any of', value: 'CORE, ALPON X4' }],
  [['gone'], { verb: 'is', value: 'gone' }],
  [['a', 'b', 'c', 'd'], { verb: 'is any of', value: 'a, b and 2 more' }],
])('%j reads %j', (value, words) => expect(filterWords(filter, value)).toEqual(words))
