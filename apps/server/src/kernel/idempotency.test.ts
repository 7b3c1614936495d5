import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { dropNote, keepNote, listNotes, mountNotes } from './test-notes.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  mountNotes(house)
})
afterAll(() => house[Symbol.asyncDispose]())

type Body = { name: string; answer?: 'wrong' | 'problem' | 'break' }
const keep = (person: Person, key: string, body: Body, shelf = 'a', query = {}) =>
  person.call(keepNote, { params: { shelf }, query, body }, { 'idempotency-key': key })
const notes = async (person: Person) => (await person.call(listNotes)).body.map(({ name }) => name)

test('twenty repetitions at once have one effect and one answer', async () => {
  const owner = await house.newOwner()
  const answers = await Promise.all(Array.from({ length: 20 }, () => keep(owner, 'once', { name: 'one' })))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${answers[0]!.text}`]))
  expect(await notes(owner)).toEqual(['one'])
  expect(await house.events(owner.account_id)).toHaveLength(1)
})

test('without a key each call counts', async () => {
  const owner = await house.newOwner()
  await owner.call(keepNote, { params: { shelf: 'a' }, body: { name: 'one' } })
  await owner.call(keepNote, { params: { shelf: 'a' }, body: { name: 'two' } })
  expect(await notes(owner)).toEqual(['one', 'two'])
})

test('the same key with another body, query, address or call is a mistake, and changes nothing', async () => {
  const owner = await house.newOwner()
  expect((await keep(owner, 'k', { name: 'one' })).status).toBe(200)
  const others = [
    await keep(owner, 'k', { name: 'two' }),
    await keep(owner, 'k', { name: 'one' }, 'b'),
    await keep(owner, 'k', { name: 'one' }, 'a', { loud: 'yes' }),
    await owner.call(dropNote, { params: { shelf: 'a' }, body: { name: 'one' } }, { 'idempotency-key': 'k' }),
  ]
  for (const answer of others) expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  expect(await notes(owner)).toEqual(['one'])
})

test('a write that fails leaves neither effect nor key: the next try is the first', async () => {
  const owner = await house.newOwner()
  expect((await keep(owner, 'k', { name: 'one', answer: 'problem' })).status).toBe(404)
  expect((await keep(owner, 'k', { name: 'one', answer: 'break' })).status).toBe(500)
  expect(await notes(owner)).toEqual([])
  expect(await house.events(owner.account_id)).toEqual([])
  expect((await keep(owner, 'k', { name: 'one' })).status).toBe(200)
})

test('an answer that breaks the promise is our mistake and changes nothing', async () => {
  const owner = await house.newOwner()
  expect(await keep(owner, 'k', { name: 'one', answer: 'wrong' })).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(await notes(owner)).toEqual([])
})

test('keys belong to the person and the account they act on', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['assets.view', 'assets.edit'])
  for (const [person, name] of [
    [owner, 'one'],
    [member, 'two'],
    [await house.newOwner(), 'three'],
  ] as const)
    expect((await keep(person, 'shared', { name })).status).toBe(200)
  expect(await notes(owner)).toEqual(['one', 'two'])
})

test.each([
  ['', 400],
  ['x'.repeat(201), 400],
  ['x'.repeat(200), 200],
  ['ключ', 200],
])('the key "%.6s…" answers %i', async (key, status) => {
  const owner = await house.newOwner()
  expect((await keep(owner, key, { name: 'one' })).status).toBe(status)
})

test('repetitions that do not wait for each other here, as from many addresses, have one effect and one answer', async () => {
  await using spread = await openHouse({ config: { trustProxy: 1 } })
  mountNotes(spread)
  const owner = await spread.newOwner()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      owner.call(
        keepNote,
        { params: { shelf: 'a' }, query: {}, body: { name: 'one' } },
        { 'idempotency-key': 'spread', 'x-forwarded-for': `192.0.2.${at}` }
      )
    )
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${answers[0]!.text}`]))
  expect((await owner.call(listNotes)).body).toHaveLength(1)
})
