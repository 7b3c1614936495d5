import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fieldErrorOf, fieldsOf } from './field-words.ts'

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

test('a wrong field has the name that the call has for it: of nothing that is given one, of what is wrong in a list another', () => {
  const errors = { missing: { image: 'NoImage', name: 'NoName' }, wrong: { 'ports.host': 'OddPort' } }
  const of = (body: unknown, ...fields: string[]) => fieldErrorOf(errors, Object.fromEntries(fields.map((field) => [field, 'Wrong'])), body)
  expect(of({}, 'name', 'image')).toBe('NoImage')
  expect(of({ image: 'a' }, 'name')).toBe('NoName')
  for (const name of [null, '', '  ']) expect(of({ name }, 'name')).toBe('NoName')
  expect(of({ name: 'Odd name' }, 'name')).toBeUndefined()
  expect(of({ name: 'a', ports: [{ host: 1 }] }, 'ports.0.host')).toBe('OddPort')
  expect(of({ name: 'a', ports: [{ host: 1 }] }, 'ports.12.container')).toBeUndefined()
  expect(of('text', 'body')).toBeUndefined()
  expect(fieldErrorOf({}, { name: 'Wrong' }, {})).toBeUndefined()
})
