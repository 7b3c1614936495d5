import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldsOf } from './field-words.ts'

const Body = z.object({
  name: z.string().check(z.maxLength(3)),
  page: z.number().check(z.gte(1), z.lte(9)),
  above: z.number().check(z.gt(0)),
  whole: z.int(),
  on: z.boolean(),
  tags: z.array(z.string()).check(z.maxLength(1)),
  sort: z.enum(['name', '-name']),
  kind: z.literal('a'),
  own: z.string().check(z.minLength(1, 'Enter a name')),
})

const wrong = (value: unknown) => fieldsOf(z.safeParse(Body, value).error!)

test('what is wrong with each field is said to a person, and our own words stay', () => {
  const given = { name: 'abcd', page: 0, above: 0, whole: 1.5, on: 'yes', tags: ['a', 'b'], sort: 'x', kind: 'b', own: '' }
  expect(wrong(given)).toEqual({
    name: 'Use at most 3 characters',
    page: 'Give at least 1',
    above: 'Give more than 0',
    whole: 'Give a whole number',
    on: 'Give true or false',
    tags: 'Give at most 1',
    sort: 'Choose one of name, -name',
    kind: 'Only a is known here',
    own: 'Enter a name',
  })
  expect(wrong({ ...given, name: 1, page: Number.NaN, tags: 'a' })).toMatchObject({
    name: 'Give a text',
    page: 'Give a number',
    tags: 'Give a list',
  })
  expect(wrong({})).toMatchObject({ name: 'This is required' })
  expect(wrong([])).toEqual({ body: 'Give an object' })
})

test('an unknown field is named whatever it is called', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    const issue = { code: 'unrecognized_keys', path: [], keys: [name], message: '' }
    expect(Object.entries(fieldsOf({ issues: [issue] }))).toEqual([[name, `Unknown field “${name}”`]])
    expect(Object.entries(fieldsOf({ issues: [{ path: [name], message: 'Our words' }] }))).toEqual([[name, 'Our words']])
  }
})
