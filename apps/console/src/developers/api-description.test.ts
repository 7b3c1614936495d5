import { expect, test } from 'vitest'
import { accessWords, callsOf, exampleOf, kindWords, takesKey, type ApiDescription } from './api-description.ts'

const described = (call: object) => ({
  operationId: 'a.b',
  tags: ['a'],
  summary: 'Do',
  security: [{ session: [] }],
  'x-access': 'signed_in',
  parameters: [],
  responses: {},
  ...call,
})

test('calls are shown with who may make them', () => {
  const description = {
    info: { title: 'T', description: '' },
    paths: {
      '/a': { get: described({ security: [], 'x-access': 'public' }), post: described({}) },
      '/b': {
        get: described({ security: [{ session: [] }, { api_key: [] }], 'x-access': 'assets.view', 'x-key-scope': 'assets.view' }),
        put: described({ security: [{ session: [] }, { api_key: [] }] }),
        delete: described({
          'x-access': 'backoffice',
          parameters: [{ in: 'header', name: 'X-Backoffice-Token', required: true, schema: {} }],
        }),
      },
    },
  } as unknown as ApiDescription
  expect(callsOf(description).map((call) => [call.method, call.path, takesKey(call), accessWords(call)])).toEqual([
    ['GET', '/a', false, 'Anybody, without signing in.'],
    ['POST', '/a', false, 'A session of the console. No API key.'],
    ['GET', '/b', true, 'A session, or an API key with the scope assets.view.'],
    ['PUT', '/b', true, 'A session, or any API key.'],
    ['DELETE', '/b', false, 'Support staff, with a backoffice token.'],
  ])
})

test('an example holds what is required and what is usual', () => {
  expect(
    exampleOf({
      type: 'object',
      required: ['name', 'kind', 'limit', 'many', 'at', 'on'],
      properties: {
        name: { type: 'string' },
        kind: { enum: ['a', 'b'] },
        limit: { type: 'integer', minimum: 1 },
        many: { type: 'array', minItems: 1, items: { const: 'x' } },
        at: { type: 'string', format: 'date-time' },
        on: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        left: { type: 'string' },
      },
    })
  ).toEqual({ name: '', kind: 'a', limit: 1, many: ['x'], at: '1970-01-01T00:00:00.000Z', on: false })
  expect(exampleOf({ default: 3, type: 'integer' })).toBe(3)
})

test('a kind is a word or two', () => {
  expect(kindWords({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })).toBe('string or list of string')
  expect(kindWords({ enum: ['a', 'b'] })).toBe('a, b')
  expect(kindWords({ type: 'string', format: 'date-time' })).toBe('time')
})
