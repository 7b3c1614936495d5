import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { strict } from './strict.ts'

const Deep = z.object({
  name: z.pipe(z.string(), z.string().check(z.maxLength(5))),
  more: z.optional(z.nullable(z.object({ list: z._default(z.array(z.object({ a: z.number() })), []) }))),
  either: z.optional(z.union([z.object({ b: z.number() }), z.string()])),
  any: z.optional(z.record(z.string(), z.object({ c: z.number() }))),
  open: z.optional(z.record(z.string(), z.unknown())),
})
const issuesOf = (value: unknown) =>
  strict(Deep)
    .safeParse(value)
    .error?.issues.map(({ path }) => path.join('.'))

test('a field that is not named is refused, however deep', () => {
  for (const value of [
    { name: 'x', other: 1 },
    { name: 'x', more: { list: [], other: 1 } },
    { name: 'x', more: { list: [{ a: 1, other: 1 }] } },
    { name: 'x', either: { b: 1, other: 1 } },
    { name: 'x', any: { key: { c: 1, other: 1 } } },
  ]) {
    expect(Deep.safeParse(value).success).toBe(true)
    expect(issuesOf(value), JSON.stringify(value)).toHaveLength(1)
  }
})

test('all else is as it was: defaults, checks, and what is open on purpose', () => {
  expect(strict(Deep).parse({ name: 'x', more: {}, open: { whatever: { deep: 1 } } })).toEqual({
    name: 'x',
    more: { list: [] },
    open: { whatever: { deep: 1 } },
  })
  expect(issuesOf({ name: 'too long' })).toEqual(['name'])
  const checked = z.object({ a: z.number() }).check(z.refine(({ a }) => a > 1, 'more'))
  expect(strict(checked).safeParse({ a: 1 }).error?.issues[0]?.message).toBe('more')
})

test('the description says so too', () => {
  expect(z.toJSONSchema(strict(Deep), { io: 'input' })).toMatchObject({
    additionalProperties: false,
    properties: { more: { anyOf: [{ additionalProperties: false }, { type: 'null' }] } },
  })
})
