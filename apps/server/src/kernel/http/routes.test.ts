import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { clearNotes, keepNote, listNotes, mountNotes } from '../database/test-notes.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  mountNotes(house)
})
afterAll(() => house[Symbol.asyncDispose]())

test('who may call is decided before what was sent is looked at', async () => {
  const wrong = { params: { shelf: 'a' }, body: { name: 7 } as never }
  const owner = await house.newOwner()
  const watcher = await house.newMember(owner, ['assets.view'])
  expect((await house.anyone.call(keepNote, wrong)).status).toBe(401)
  expect(await watcher.call(keepNote, wrong)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await owner.call(keepNote, wrong)).status).toBe(400)
})

test('wrong fields come back by name, in words, unknown ones among them', async () => {
  const owner = await house.newOwner()
  const params = { shelf: 'a' }
  const missing = await owner.call(keepNote, { params, body: {} as never })
  expect(missing.body).toMatchObject({ code: 'invalid_request', detail: 'This is required', fields: { name: 'This is required' } })
  expect((await owner.call(listNotes, { query: { size: 10 } })).body).toMatchObject({ fields: { size: expect.stringMatching(/9/) } })
  expect((await owner.call(listNotes, { query: { size: 'many' } as never })).status).toBe(400)
  expect(await owner.call(keepNote, { params, query: { lout: '1' } as never, body: { name: 'one' } })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: 'Unknown field “lout”', fields: { lout: 'Unknown field “lout”' } },
  })
  expect(await owner.call(keepNote, { params, body: { name: 7, more: 1 } as never })).toMatchObject({
    status: 400,
    body: { fields: { name: 'Give a text', more: 'Unknown field “more”' } },
  })
  expect((await owner.call(listNotes)).body).toEqual([])
})

test('a NUL or half a character is refused in words, wherever it stands', async () => {
  const owner = await house.newOwner()
  for (const name of ['a\0b', 'a\ud800'])
    expect(await owner.call(keepNote, { params: { shelf: 'a' }, body: { name } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail: 'The request contains a character that cannot be stored' },
    })
})

test('a body with a hundred thousand wrong fields is answered in few words', async () => {
  const owner = await house.newOwner()
  const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 1]))
  const answer = await owner.call(keepNote, { params: { shelf: 'a' }, body: body as never })
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.body.fields!)).toHaveLength(50)
  expect(answer.text.length).toBeLessThan(10_000)
  const long = await owner.call(keepNote, { params: { shelf: 'a' }, body: { name: 'a', ['x'.repeat(500_000)]: 1 } as never })
  expect(long.text.length).toBeLessThan(1000)
})

describe('a body that is not what it says', () => {
  const send = async (headers: Record<string, string>, payload: Buffer) => {
    const { cookie } = await house.newOwner()
    const url = '/v1/test/notes/a'
    return house.server.inject({ method: 'POST', url, headers: { cookie, 'content-type': 'application/json', ...headers }, payload })
  }
  test('letters of another encoding are refused in words', async () => {
    const answer = await send({}, Buffer.from('{"name":"Köln"}', 'latin1'))
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { detail: 'The body is not UTF-8: send JSON as UTF-8' }])
    expect((await send({}, Buffer.from('\ufeff{"name":"Köln"}'))).json()).toMatchObject({ name: 'Köln' })
  })
  test('a compressed one is refused in words', async () => {
    const answer = await send({ 'content-encoding': 'gzip' }, gzipSync('{"name":"a"}'))
    expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining('without Content-Encoding')])
    expect((await send({ 'content-encoding': 'identity' }, Buffer.from('{"name":"a"}'))).statusCode).toBe(200)
  })
})

test('what is left out takes its default', async () => {
  const owner = await house.newOwner()
  for (const name of ['one', 'two', 'three', 'four']) await owner.call(keepNote, { params: { shelf: 'a' }, body: { name } })
  expect((await owner.call(listNotes)).body).toHaveLength(3)
  expect((await owner.call(listNotes, { query: { size: '4' } })).body).toHaveLength(4)
})

test('a call that writes where it only reads is a mistake of ours, and the log says which; 503 is for a database that takes no writes', async () => {
  const owner = await house.newOwner()
  const note = { params: { shelf: 'a' }, body: { name: 'one' } }
  await owner.call(keepNote, note)
  const log = vi.spyOn(house.app.log, 'error')
  const mistake = { status: 500, body: { code: 'internal' } }
  const line = {
    operation: 'assets.clearNotes',
    err: { name: 'WroteWhileReading', message: 'cannot execute DELETE in a read-only transaction' },
  }
  expect(await owner.call(clearNotes)).toMatchObject(mistake)
  expect(log.mock.lastCall).toMatchObject([line, 'a request failed'])
  await house.database.readOnly()
  await expect
    .poll(() => owner.call(keepNote, note))
    .toMatchObject({ status: 503, body: { detail: expect.stringMatching(/takes no writes/) } })
  await expect.poll(() => owner.call(clearNotes)).toMatchObject(mistake)
  await house.database.writable()
  // The first finds that its connection was cut.
  await expect.poll(async () => (await owner.call(listNotes)).body).toHaveLength(1)
})
