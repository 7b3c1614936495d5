import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addPasskey,
  getSecurity,
  mostPasskeys,
  removePasskey,
  startPasskey,
  updatePasskey,
} from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { challengePasskey, getSecondStep, passSecondStep, signInWithPasskey } from '@masthead/contract/auth/step-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newTestPasskey, type TestPasskey } from '../factors/test-passkey.ts'
import { codeOf, cookiesOf, mailTo, newPasskey, newPerson, password, signIn, switchOn, withCookies } from './test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 200, failuresPerEmail: 10, registrationsPerAddress: 10 } } })
})
afterAll(() => house[Symbol.asyncDispose]())

const challenge = async (use: 'sign_in' | 'second_step' | 'proof') =>
  (await house.anyone.call(challengePasskey, { body: { use } })).body.challenge as string
const enter = async (key: TestPasskey, options: Parameters<TestPasskey['sign']>[1] = {}) =>
  house.anyone.call(signInWithPasskey, { body: { passkey: key.sign(await challenge('sign_in'), options) } })
const refused = { status: 400, body: { code: 'passkey_refused' } }

test('a passkey is added after a proof, signs in without a password, and is an event', async () => {
  const person = await newPerson(house)
  expect(await person.call(startPasskey, { body: {} })).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  const { key, id } = await newPasskey(person, 'Phone')
  const options = (await house.anyone.call(challengePasskey, { body: { use: 'sign_in' } })).body
  // It names nobody.
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(options.allowCredentials ?? []).toEqual([])
  const answer = await enter(key, { userHandle: person.person_id })
  expect(answer).toMatchObject({ status: 200, body: { email: person.email } })
  expect((await withCookies(house, person, answer).call(getUserInfo)).body.email).toBe(person.email)
  expect((await person.call(getSecurity)).body.passkeys).toEqual([
    { id, name: 'Phone', synced: false, created_at: expect.any(String), last_used_at: house.clock.now().toISOString() },
  ])
  expect((await house.events(person.account_id)).map(({ name, detail }) => [name, detail])).toEqual([
    ['auth.passkey_added', { name: 'Phone' }],
  ])
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('A passkey was added: Phone.')
})

test('an answer counts once, for its own use, within five minutes, and only with finger or PIN', async () => {
  const { key } = await newPasskey(await newPerson(house))
  const passkey = key.sign(await challenge('sign_in'))
  const answers = await Promise.all(Array.from({ length: 4 }, () => house.anyone.call(signInWithPasskey, { body: { passkey } })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  const send = (json: string) => house.anyone.call(signInWithPasskey, { body: { passkey: json } })
  expect(await send(key.sign(await challenge('proof')))).toMatchObject(refused)
  expect(await send(key.sign('bWFkZSB1cA'))).toMatchObject(refused)
  expect(await enter(key, { verified: false })).toMatchObject(refused)
  expect(await enter(key, { userHandle: 'usr_somebody_else' })).toMatchObject(refused)
  const late = key.sign(await challenge('sign_in'))
  house.clock.advance({ minutes: 6 })
  expect(await send(late)).toMatchObject(refused)
})

test.each([
  ['another site', { origin: 'https://elsewhere.test' }],
  ['another name', { rpId: 'elsewhere.test' }],
])('an answer given to %s is refused', async (_, where) => {
  const person = await newPerson(house)
  const elsewhere = newTestPasskey(where)
  const { challenge: first } = (await person.call(startPasskey, { body: { password } })).body
  expect(await person.call(addPasskey, { body: { name: 'x', passkey: elsewhere.register(first as string) } })).toMatchObject(refused)
  await house.db
    .insertInto('passkey')
    .values({
      ...elsewhere.row,
      id: `psk_${elsewhere.row.credential_id}`,
      person_id: person.person_id,
      name: 'x',
      created_at: house.clock.now(),
    })
    .execute()
  expect(await enter(elsewhere)).toMatchObject(refused)
})

test('a counter that goes back is a copied key', async () => {
  const { key } = await newPasskey(await newPerson(house))
  expect((await enter(key, { counter: 5 })).status).toBe(200)
  expect(await enter(key, { counter: 5 })).toMatchObject(refused)
  expect((await enter(key, { counter: 6 })).status).toBe(200)
})

test.each(['', 'null', '[]', '{"id":"x"}', '{"id":"x","rawId":"x","type":"public-key","response":{}}'])(
  '%s is no answer',
  async (passkey) => {
    const answer = await house.anyone.call(signInWithPasskey, { body: { passkey } })
    expect(answer.status).toBe(400)
  }
)

test('the challenge for a new passkey is of one person and counts once; one without finger or PIN is refused', async () => {
  const [ada, bob] = [await newPerson(house), await newPerson(house)]
  const start = async () => (await ada.call(startPasskey, { body: { password } })).body.challenge as string
  const add = (who: typeof ada, passkey: string) => who.call(addPasskey, { body: { name: 'x', passkey } })
  const first = await start()
  expect(await add(bob, newTestPasskey().register(first))).toMatchObject(refused)
  expect(await add(ada, newTestPasskey().register(first, { verified: false }))).toMatchObject(refused)
  const key = newTestPasskey()
  expect((await add(ada, key.register(first))).status).toBe(200)
  expect(await add(ada, newTestPasskey().register(first))).toMatchObject(refused)
  // A key belongs to one person.
  const { challenge: second } = (await bob.call(startPasskey, { body: { password } })).body
  expect(await add(bob, key.register(second as string))).toMatchObject(refused)
})

test('a passkey is renamed, and removed after a proof; then it signs nobody in', async () => {
  const [person, other] = [await newPerson(house), await newPerson(house)]
  const { key, id } = await newPasskey(person)
  const params = { passkey_id: id }
  expect((await person.call(updatePasskey, { params, body: { name: ' Old laptop ' } })).body.name).toBe('Old laptop')
  expect(await other.call(updatePasskey, { params, body: { name: 'mine' } })).toMatchObject({ status: 404 })
  expect(await other.call(removePasskey, { params, body: { password } })).toMatchObject({ status: 404 })
  expect(await person.call(removePasskey, { params, body: { password: 'wrong' } })).toMatchObject({ body: { code: 'credentials_wrong' } })
  const proof = key.sign(await challenge('proof'))
  expect((await person.call(removePasskey, { params, body: { passkey: proof } })).status).toBe(200)
  expect(await enter(key)).toMatchObject(refused)
  expect((await house.events(person.account_id)).at(-1)).toMatchObject({ name: 'auth.passkey_removed', detail: { name: 'Old laptop' } })
})

test('the last way in is not removed: without a password one passkey stays', async () => {
  const person = await newPerson(house)
  const { key, id } = await newPasskey(person)
  const { id: another } = await newPasskey(person)
  await house.db.updateTable('person').set({ password_hash: null }).where('email', '=', person.email).execute()
  const remove = async (passkey_id: string) =>
    person.call(removePasskey, { params: { passkey_id }, body: { passkey: key.sign(await challenge('proof')) } })
  expect((await remove(another)).status).toBe(200)
  expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'last_way_in' } })
  expect((await enter(key)).status).toBe(200)
})

test('a passkey is the second step too, its owner’s alone', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const start = (await person.call(startPasskey, { body: { password, code: codeOf(house, secret) } })).body
  const key = newTestPasskey()
  await person.call(addPasskey, { body: { name: 'Key', passkey: key.register(start.challenge as string) } })
  const half = { cookie: cookiesOf(await signIn(house, person.email)) }
  expect((await house.anyone.call(getSecondStep, {}, half)).body.methods).toEqual(['passkey', 'code', 'recovery_code'])
  const { key: others } = await newPasskey(await newPerson(house))
  const pass = async (with_key: TestPasskey) =>
    house.anyone.call(passSecondStep, { body: { passkey: with_key.sign(await challenge('second_step')) } }, half)
  expect(await pass(others)).toMatchObject(refused)
  expect(await pass(key)).toMatchObject({ status: 200, body: { email: person.email } })
  // By itself it is two factors.
  expect((await enter(key)).status).toBe(200)
})

test('staff prove themselves by passkey, and by a code too where an app is on; nobody else’s passkey does', async () => {
  const person = await newPerson(house)
  const { key } = await newPasskey(person)
  const { key: others } = await newPasskey(await newPerson(house))
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice'] })
    .where('id', '=', person.person_id)
    .execute()
  const { secret } = await switchOn(house, person)
  const enterWith = async (with_key: TestPasskey, more = {}) =>
    person.call(enterBackoffice, { body: { passkey: with_key.sign(await challenge('proof')), reason: 'A ticket', ...more } as never })
  expect(await enterWith(others, { code: codeOf(house, secret) })).toMatchObject(refused)
  expect(await enterWith(key)).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect((await enterWith(key, { code: codeOf(house, secret) })).status).toBe(200)
})

test('a person has at most so many', async () => {
  const person = await newPerson(house)
  const rows = Array.from({ length: mostPasskeys }, (_, i) => ({
    ...newTestPasskey().row,
    id: `psk_many_${i}`,
    person_id: person.person_id,
    name: `${i}`,
    created_at: house.clock.now(),
  }))
  await house.db.insertInto('passkey').values(rows).execute()
  expect((await person.call(startPasskey, { body: { password } })).body.code).toBe('too_many_passkeys')
})

test('behind a proxy a passkey is for the configured address', async () => {
  await using behind = await openHouse({ config: { publicUrl: 'https://console.example.test' } })
  const person = await newPerson(behind)
  const key = newTestPasskey({ rpId: 'console.example.test', origin: 'https://console.example.test' })
  const { challenge: first } = (await person.call(startPasskey, { body: { password } })).body
  expect((await person.call(addPasskey, { body: { name: 'x', passkey: key.register(first as string) } })).status).toBe(200)
})
