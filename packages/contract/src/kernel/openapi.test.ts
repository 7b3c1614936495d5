import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openapi } from './openapi.ts'
import { isNothing, operation, pathOf } from './operation.ts'
import { notFound, problem } from './problem.ts'

const taken = problem({ code: 'taken', status: 409, title: 'Taken' })
const rename = operation({
  name: 'assets.updateThing',
  method: 'PATCH',
  path: '/things/{thing_id}/parts/{part_id}',
  summary: 'Rename',
  access: 'assets.edit',
  query: z.object({ loud: z.optional(z.string()), how: z.string() }),
  body: z.object({ name: z.string(), size: z._default(z.int(), 3) }),
  reply: z.object({ id: z.string() }),
  problems: [notFound, taken],
})
const audit = operation({ name: 'backoffice.getThing', method: 'GET', path: '/things', summary: 'See', access: 'audit_logs' })
const hello = operation({ name: 'auth.getHello', method: 'GET', path: '/hello.csv', summary: 'Hello', access: 'public', gives: 'csv' })

const load = operation({
  name: 'backoffice.loadThing',
  method: 'POST',
  path: '/load',
  summary: 'Load',
  access: 'backoffice',
  takes: 'file',
})

type Call = {
  parameters: { in: string; name: string; required: boolean }[]
  responses: Record<string, { description: string; content?: object }>
  requestBody: { content: Record<string, { schema: { required: string[] } }> }
  security: object[]
}
const { paths } = openapi([rename, audit, hello, load], { title: 'T', version: '1', description: 'D' }) as {
  paths: Record<string, Record<string, Call>>
}

test('parameters say where they stand and whether they are needed', () => {
  const { parameters } = paths['/things/{thing_id}/parts/{part_id}']!.patch!
  expect(parameters.map(({ in: place, name, required }) => `${place} ${name}${required ? '' : '?'}`)).toEqual([
    'path thing_id',
    'path part_id',
    'query loud?',
    'query how',
    'header Idempotency-Key?',
  ])
  expect(paths['/things']!.get!.parameters.map(({ name }) => name)).toEqual(['X-Backoffice-Token'])
})

test('what has a default need not be sent', () => {
  expect(paths['/things/{thing_id}/parts/{part_id}']!.patch!.requestBody.content['application/json']!.schema.required).toEqual(['name'])
})

test('a file is said to be sent as it is', () => {
  expect(Object.keys(paths['/load']!.post!.requestBody.content)).toEqual(['application/octet-stream'])
})

test('every problem is there under its status, those of the kind of call too', () => {
  const words = (call: Call) => Object.fromEntries(Object.entries(call.responses).map(([status, { description }]) => [status, description]))
  const renamed = words(paths['/things/{thing_id}/parts/{part_id}']!.patch!)
  expect(Object.keys(renamed)).toEqual(['200', '400', '401', '403', '404', '409', '429'])
  expect(renamed['409']).toMatch(/`account_closed`.*`idempotency_key_reused`.*`taken`/)
  expect(words(paths['/things']!.get!)['403']).toContain('backoffice_token_needed')
  expect(words(paths['/hello.csv']!.get!)).toEqual({ 200: 'Done' })
  expect(paths['/hello.csv']!.get!.security).toEqual([])
  expect(Object.keys(paths['/hello.csv']!.get!.responses[200]!.content!)).toEqual(['text/csv'])
})

test('a problem has the names that programs know it by, and so has a wrong field', () => {
  const known = problem({ code: 'taken', status: 409, title: 'Taken', error: 'NameTaken' })
  const add = operation({
    name: 'assets.addThing',
    method: 'POST',
    path: '/things',
    summary: 'Add',
    access: 'assets.edit',
    body: z.object({ name: z.string(), size: z.int() }),
    fieldErrors: { missing: { name: 'NoName' }, wrong: { size: 'OddSize' } },
    problems: [taken, known],
  })
  const { paths: described } = openapi([add], { title: 'T', version: '1', description: 'D' }) as {
    paths: Record<string, Record<string, Call>>
  }
  const { responses } = described['/things']!.post!
  expect(responses['400']!.description).toBe(
    '`invalid_request`: The request is not valid · `invalid_request` (`NoName`): Nothing is given as name · `invalid_request` (`OddSize`): What is given as size is not valid'
  )
  expect(responses['409']!.description).toContain('`taken`: Taken · `taken` (`NameTaken`): Taken')
})

test('an address has its values filled in safely', () => {
  expect(pathOf(rename, { thing_id: 'a/b?c', part_id: 'ü' })).toBe('/things/a%2Fb%3Fc/parts/%C3%BC')
  expect(isNothing(audit.reply)).toBe(true)
})

test('what takes an API key says so, with its scope; what does not says what it answers one', () => {
  const { paths: described } = openapi(
    [
      rename,
      audit,
      hello,
      operation({ name: 'auth.getMe', method: 'GET', path: '/me', summary: 'Me', access: 'signed_in' }),
      operation({ name: 'assets.getLog', method: 'GET', path: '/log', summary: 'Log', access: 'signed_in', keys: 'overview.view' }),
      operation({ name: 'assets.getAll', method: 'GET', path: '/all', summary: 'All', access: 'signed_in', keys: true }),
      operation({ name: 'assets.getOwn', method: 'GET', path: '/own', summary: 'Own', access: 'assets.view', keys: false }),
    ],
    { title: 'T', version: '1', description: 'D' }
  ) as { paths: Record<string, Record<string, Call & { 'x-key-scope'?: string }>> }
  const told = Object.entries(described).map(([path, methods]) => {
    const [call] = Object.values(methods)
    const refused = call!.responses['403']?.description.includes('session_needed') ?? false
    return [path.split('/')[1], call!.security.length, call!['x-key-scope'], refused]
  })
  expect(told).toEqual([
    ['things', 2, 'assets.edit', false],
    ['things', 1, undefined, false],
    ['hello.csv', 0, undefined, false],
    ['me', 1, undefined, true],
    ['log', 2, 'overview.view', false],
    ['all', 2, undefined, false],
    ['own', 1, undefined, true],
  ])
})
