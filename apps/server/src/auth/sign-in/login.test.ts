import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { login } from '@masthead/contract/auth/sign-in-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { cookiesOf, password, registerPerson, signIn } from '../../account/test-person.ts'
import { hashSecret } from '../../kernel/secrets/presented-secret.ts'
import { hashPassword } from './password.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { trustProxy: 1 } })
})
afterAll(() => house[Symbol.asyncDispose]())

const email = 'person@example.test'
beforeAll(() => registerPerson(house, email))

const from = (address: string) => ({ 'x-forwarded-for': address })
const whoIs = (cookie: string) => house.anyone.call(getUserInfo, {}, { cookie })
const sessionOf = (cookie: string) => /masthead_session=([^;]+)/.exec(cookie)![1]!

test('signing in gives a session out of reach of scripts and other sites; only its hash is kept', async () => {
  const answer = await signIn(house, 'Person@example.TEST')
  expect(answer).toMatchObject({ status: 200, body: { email } })
  const set = [answer.headers['set-cookie']].flat().find((text) => String(text).startsWith('masthead_session='))
  expect(set).toMatch(/; HttpOnly/)
  expect(set).toMatch(/; SameSite=Lax/)
  expect(set).toMatch(/; Path=\//)
  expect(set).not.toMatch(/Secure/)
  const cookie = cookiesOf(answer)
  expect((await whoIs(cookie)).body.email).toBe(email)
  const kept = await house.db
    .selectFrom('session')
    .select('id_hash')
    .where('id_hash', '=', hashSecret(sessionOf(cookie)))
    .execute()
  expect(kept).toHaveLength(1)
})

test('the cookie is for https alone where the visitor or the configuration says https', async () => {
  const secure = (headers: Record<string, unknown>) => [headers['set-cookie']].flat().every((text) => /; Secure/.test(String(text)))
  expect(secure((await signIn(house, email, undefined, { 'x-forwarded-proto': 'https' })).headers)).toBe(true)
  await using behind = await openHouse({ config: { publicUrl: 'https://console.example.test' } })
  expect(secure((await registerPerson(behind, email)).headers)).toBe(true)
})

test("under TLS the names of cookies say that they are this host's, and those of the release before hold and are exchanged", async () => {
  await using behind = await openHouse({ config: { publicUrl: 'https://console.example.test/iot' } })
  const given = [(await registerPerson(behind, email)).headers['set-cookie'] ?? []].flat().map(String)
  expect(given.length).toBeGreaterThanOrEqual(2)
  for (const each of given) {
    expect(each).toMatch(/^__Host-masthead_(session|device)=[^;]+;/)
    expect(each).toMatch(/; Path=\/(;|$)/)
    expect(each).toMatch(/; HttpOnly/)
    expect(each).not.toMatch(/; Domain/i)
  }
  const cookiesIn = (set: string[]) => set.map((each) => each.split(';')[0]!).join('; ')
  const older = cookiesIn(given).replaceAll('__Host-', '')
  expect((await behind.anyone.call(getUserInfo, {}, { cookie: older })).status).toBe(200)
  const again = await behind.anyone.call(login, { body: { email, password } }, { cookie: older })
  const renewed = [again.headers['set-cookie'] ?? []].flat().map(String)
  expect(renewed.some((each) => /^__Host-masthead_session=[^;]+/.test(each))).toBe(true)
  expect(renewed.some((each) => /^masthead_session=;.*Expires=Thu, 01 Jan 1970/.test(each))).toBe(true)
  // Planted beside the real one by a page of another host of the domain, it counts for nothing.
  const cookie = `masthead_session=planted; ${cookiesIn(renewed.filter((each) => !each.includes('=;')))}`
  expect((await behind.anyone.call(getUserInfo, {}, { cookie })).status).toBe(200)
})

test('an unknown e-mail and a wrong password answer the same words', async () => {
  const wrong = await signIn(house, email, 'not the password', from('10.1.0.1'))
  const unknown = await signIn(house, 'nobody@example.test', 'not the password', from('10.1.0.1'))
  expect(wrong).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  const { request_id: _a, ...first } = JSON.parse(wrong.text) as Record<string, unknown>
  const { request_id: _b, ...second } = JSON.parse(unknown.text) as Record<string, unknown>
  expect(second).toEqual(first)
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('a person without a password cannot sign in with any', async () => {
  const owner = await house.newOwner()
  expect((await signIn(house, owner.email, 'x', from('10.1.0.2'))).status).toBe(400)
})

test('a session presented at sign-in ends', async () => {
  const before = cookiesOf(await signIn(house, email))
  const after = cookiesOf(await signIn(house, email, undefined, { cookie: before }))
  expect((await whoIs(before)).status).toBe(401)
  expect((await whoIs(after)).status).toBe(200)
  expect(sessionOf(after)).not.toBe(sessionOf(before))
})

test('a session ends by itself after its days', async () => {
  await using brief = await openHouse({ config: { sessionDays: 2 } })
  const cookie = cookiesOf(await registerPerson(brief, email))
  const statusAfter = async (hours: number) => {
    brief.clock.advance({ hours })
    return (await brief.anyone.call(getUserInfo, {}, { cookie })).status
  }
  expect([await statusAfter(47), await statusAfter(2)]).toEqual([200, 401])
})

test('a session remembers when it was last used, to the minute', async () => {
  await using quiet = await openHouse()
  const cookie = cookiesOf(await registerPerson(quiet, email))
  const seenAfter = async (seconds: number) => {
    quiet.clock.advance({ seconds })
    await quiet.anyone.call(getUserInfo, {}, { cookie })
    return (await quiet.db.selectFrom('session').select('seen_at').executeTakeFirstOrThrow()).seen_at.getTime()
  }
  const first = await seenAfter(0)
  expect([(await seenAfter(59)) - first, (await seenAfter(2)) - first, (await seenAfter(30)) - first]).toEqual([0, 61_000, 61_000])
})

test('signing out ends the session and takes the cookie back', async () => {
  const cookie = cookiesOf(await signIn(house, email))
  const answer = await house.anyone.call(logout, {}, { cookie })
  expect(answer.status).toBe(200)
  expect(String(answer.headers['set-cookie'])).toMatch(/masthead_session=;.*Expires=Thu, 01 Jan 1970/)
  expect((await whoIs(cookie)).status).toBe(401)
})

test('an invented cookie is nobody', async () => {
  expect((await whoIs('masthead_session=invented')).status).toBe(401)
  expect((await whoIs('masthead_session=')).status).toBe(401)
})

test('a repetition of a sign-in with its key answers the same; with another e-mail it is refused', async () => {
  await registerPerson(house, 'second@example.test')
  const key = { 'idempotency-key': 'sign-in-1' }
  const first = await signIn(house, email, undefined, key)
  const second = await signIn(house, email, undefined, key)
  expect(second).toMatchObject({ status: 200, text: first.text })
  expect((await whoIs(cookiesOf(second))).status).toBe(200)
  const other = await signIn(house, 'second@example.test', undefined, key)
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  expect(other.headers['set-cookie']).toBeUndefined()
})

test('a hash made with weaker parameters is made again at the next sign-in', async () => {
  const weak = await hashPassword(password, { memory: 8192, passes: 1, parallelism: 1 })
  await house.db.updateTable('person').set({ password_hash: weak }).where('email', '=', email).execute()
  expect((await signIn(house, email)).status).toBe(200)
  const { password_hash } = await house.db.selectFrom('person').select('password_hash').where('email', '=', email).executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/m=19456,t=2,p=1/)
  expect((await signIn(house, email)).status).toBe(200)
})

test('login takes only what it knows', async () => {
  const answer = await house.anyone.call(login, { body: { email, password: '' } })
  expect(answer).toMatchObject({ status: 400, body: { fields: { password: expect.stringContaining('password') } } })
})
