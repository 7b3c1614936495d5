import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  confirmAuthenticator,
  getSecurity,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
} from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { getSecondStep, passSecondStep } from '@masthead/contract/auth/step-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { startAuthenticator as begin } from '../factors/index.ts'
import { codeOf, cookiesOf, mailTo, newPerson, password, signIn, switchOn, withCookies } from './test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { trustProxy: 1 } })
})
afterAll(() => house[Symbol.asyncDispose]())

/** A sign-in up to its second step: the cookie to go on with. */
const halfIn = async (email: string) => {
  const answer = await signIn(house, email)
  expect(answer).toMatchObject({ status: 403, body: { code: 'second_factor_needed' } })
  return { cookie: cookiesOf(answer) }
}
const pass = (half: { cookie: string }, code: string, headers = {}) =>
  house.anyone.call(passSecondStep, { body: { code } }, { ...half, ...headers })

test('switching on takes the password and the first code, shows ten recovery codes, and is an event', async () => {
  const person = await newPerson(house)
  const off = (await person.call(getSecurity)).body
  expect(off).toMatchObject({ email: person.email, has_password: true, authenticator: null, passkeys: [], email_change: null })
  expect(await person.call(startAuthenticator, { body: { password: 'wrong' } })).toMatchObject({
    status: 400,
    body: { code: 'credentials_wrong', fields: { password: 'The password is wrong' } },
  })
  const started = (await person.call(startAuthenticator, { body: { password } })).body
  expect(started.uri).toBe(
    `otpauth://totp/Masthead:${encodeURIComponent(person.email)}?issuer=Masthead&secret=${started.secret}&algorithm=SHA1&digits=6&period=30`
  )
  // Not asked for before it is confirmed.
  expect((await signIn(house, person.email)).status).toBe(200)
  const wrong = await person.call(confirmAuthenticator, { body: { code: '000000' } })
  expect(wrong).toMatchObject({
    status: 400,
    body: { code: 'code_wrong', fields: { code: expect.stringContaining('time of your device') } },
  })
  const answer = await person.call(confirmAuthenticator, { body: { code: codeOf(house, started.secret) } })
  expect(new Set(answer.body.recovery_codes).size).toBe(10)
  expect(answer.body.recovery_codes[0]).toMatch(/^([0-9a-z]{6}-){3}[0-9a-z]{6}$/)
  expect((await person.call(getSecurity)).body.authenticator).toMatchObject({ recovery_codes_left: 10 })
  expect((await house.events(person.account_id)).map(({ name }) => name)).toEqual(['auth.second_factor_on'])
  expect((await mailTo(house, person.email)).map(({ text }) => text)).toEqual([expect.stringContaining('was switched on')])
  const kept = await house.db.selectFrom('authenticator').select('sealed_secret').where('person_id', '=', person.person_id).execute()
  expect(JSON.stringify(kept)).not.toContain(started.secret)
})

test('the session gets another cookie; the one before counts half a minute longer', async () => {
  const person = await newPerson(house)
  const { secret } = (await person.call(startAuthenticator, { body: { password } })).body
  const { cookie } = person
  expect((await person.call(confirmAuthenticator, { body: { code: codeOf(house, secret) } })).status).toBe(200)
  const asked = () =>
    Promise.all([cookie, person.cookie].map(async (one) => (await house.anyone.call(getUserInfo, {}, { cookie: one })).status))
  expect(await asked()).toEqual([200, 200])
  house.clock.advance({ seconds: 31 })
  expect(await asked()).toEqual([401, 200])
})

test('signing in asks for the code: without it there is no session, with it there is', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const half = await halfIn(person.email)
  expect(half.cookie).toMatch(/^masthead_step=[\w-]{43}$/)
  expect((await house.anyone.call(getUserInfo, {}, half)).status).toBe(401)
  expect((await house.anyone.call(getSecondStep, {}, half)).body).toEqual({ methods: ['code', 'recovery_code'] })
  const answer = await pass(half, codeOf(house, secret))
  expect(answer).toMatchObject({ status: 200, body: { email: person.email } })
  expect((await withCookies(house, person, answer).call(getUserInfo)).status).toBe(200)
  // The first step counted once.
  expect(await pass(half, codeOf(house, secret, 1))).toMatchObject({ status: 400, body: { code: 'sign_in_expired' } })
})

test('a code counts once, one step early and late, and not two', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const tryCode = async (steps: number) => (await pass(await halfIn(person.email), codeOf(house, secret, steps))).body.code ?? 'in'
  expect([await tryCode(0), await tryCode(0), await tryCode(-1), await tryCode(1), await tryCode(2)]).toEqual([
    'in',
    'code_wrong',
    'code_wrong',
    'in',
    'code_wrong',
  ])
})

test('of many that send one code at once, one gets in', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const halves = await Promise.all(Array.from({ length: 5 }, () => halfIn(person.email)))
  const answers = await Promise.all(halves.map((half) => pass(half, codeOf(house, secret))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
})

test('a recovery code stands in once, however it is typed, and that is notified', async () => {
  const { recovery_codes, person } = await switchOn(house, await newPerson(house))
  const [code = ''] = recovery_codes
  expect((await pass(await halfIn(person.email), ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `)).status).toBe(200)
  expect(await pass(await halfIn(person.email), code)).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect((await person.call(getSecurity)).body.authenticator).toMatchObject({ recovery_codes_left: 9 })
  expect((await house.events(person.account_id)).at(-1)).toMatchObject({ name: 'auth.recovery_code_used', detail: { left: 9 } })
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('9 of them are left')
})

test('of many that send one recovery code, or finish one half sign-in, at once, one gets in', async () => {
  const { secret, recovery_codes, person } = await switchOn(house, await newPerson(house))
  const halves = await Promise.all(Array.from({ length: 4 }, () => halfIn(person.email)))
  const byOneCode = await Promise.all(halves.map((half) => pass(half, recovery_codes[0]!)))
  expect(byOneCode.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  // Four good codes, and one first step.
  const half = await halfIn(person.email)
  const codes = [codeOf(house, secret), ...recovery_codes.slice(1, 4)]
  const byOneHalf = await Promise.all(codes.map((code) => pass(half, code)))
  expect(byOneHalf.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
})

test('the second step waits five minutes and is of no use to anybody else', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const half = await halfIn(person.email)
  const other = await switchOn(house, await newPerson(house))
  expect((await pass(half, codeOf(house, other.secret))).body.code).toBe('code_wrong')
  house.clock.advance({ minutes: 5 })
  expect((await pass(half, codeOf(house, secret))).body.code).toBe('sign_in_expired')
  expect((await pass({ cookie: 'masthead_step=made-up' }, codeOf(house, secret))).body.code).toBe('sign_in_expired')
  expect((await house.anyone.call(getSecondStep)).body).toEqual({ methods: [] })
})

test('wrong codes run out per address; whoever signed in here before still can', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const known = cookiesOf(await pass(await halfIn(person.email), codeOf(house, secret))).replace(/masthead_session=[^;]+;? ?/, '')
  expect(known).toMatch(/^masthead_device=/)
  const half = await halfIn(person.email)
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await pass(half, '000000', from('10.3.0.1'))).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  // From everywhere together there are only so many more.
  for (let i = 0; i < 25; i++) await pass(half, '000000', from(`10.3.1.${i}`))
  expect((await pass(half, codeOf(house, secret, 1), from('10.3.2.1'))).status).toBe(429)
  expect((await pass({ cookie: `${half.cookie}; ${known}` }, codeOf(house, secret, 1), from('10.3.2.1'))).status).toBe(200)
})

test('switching off takes password and code; then the password is enough', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const off = (body: { password?: string; code?: string }, headers = {}) => person.call(removeAuthenticator, { body }, headers)
  expect(await off({ password })).toMatchObject({ status: 400, body: { fields: { code: expect.stringContaining('authenticator app') } } })
  expect(await off({ code: codeOf(house, secret) })).toMatchObject({ status: 400, body: { fields: { password: 'Enter your password' } } })
  expect(await off({ password, code: '123456' })).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  const key = { 'idempotency-key': 'off' }
  expect((await off({ password, code: codeOf(house, secret) }, key)).status).toBe(200)
  expect((await off({ password, code: codeOf(house, secret) }, key)).status).toBe(200)
  expect(await off({ password })).toMatchObject({ status: 409, body: { code: 'authenticator_off' } })
  expect((await signIn(house, person.email)).status).toBe(200)
  expect((await house.events(person.account_id)).map(({ name }) => name)).toEqual(['auth.second_factor_on', 'auth.second_factor_off'])
})

test('new recovery codes take the place of the old; a repeated request shows the same and nothing readable is kept', async () => {
  const { secret, recovery_codes, person } = await switchOn(house, await newPerson(house))
  const renew = (code: string, key: string) => person.call(renewRecoveryCodes, { body: { password, code } }, { 'idempotency-key': key })
  const first = await renew(codeOf(house, secret), 'renew')
  const again = await renew(codeOf(house, secret), 'renew')
  expect(again.text).toBe(first.text)
  expect(first.body.recovery_codes).toHaveLength(10)
  expect((await renew(codeOf(house, secret), 'another')).body.code).toBe('code_wrong')
  expect((await pass(await halfIn(person.email), recovery_codes[1]!)).body.code).toBe('code_wrong')
  expect((await pass(await halfIn(person.email), first.body.recovery_codes[1]!)).status).toBe(200)
  const kept = JSON.stringify(await house.db.selectFrom('idempotency_key').select('reply').execute())
  expect(kept).not.toContain(first.body.recovery_codes[0])
})

test('an app is switched off before another is switched on; one begun long ago is begun again', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  expect((await person.call(startAuthenticator, { body: { password, code: codeOf(house, secret) } })).body.code).toBe('authenticator_on')
  expect((await person.call(confirmAuthenticator, { body: { code: codeOf(house, secret) } })).body.code).toBe('authenticator_on')
  const slow = await newPerson(house)
  const begun = (await slow.call(startAuthenticator, { body: { password } })).body
  house.clock.advance({ minutes: 16 })
  expect((await slow.call(confirmAuthenticator, { body: { code: codeOf(house, begun.secret) } })).body.code).toBe('code_wrong')
  expect((await slow.call(renewRecoveryCodes, { body: { password } })).body.code).toBe('authenticator_off')
})

test('an app that is on is not replaced by one that was begun at the same moment', async () => {
  const { person } = await switchOn(house, await newPerson(house))
  const kept = () => house.db.selectFrom('authenticator').selectAll().where('person_id', '=', person.person_id).executeTakeFirstOrThrow()
  const before = await kept()
  // The check whether one is on came before the other's first code.
  const begun = house.db.transaction().execute((tx) => begin(tx, { ...person, at: house.clock.now() }))
  await expect(begun).rejects.toMatchObject({ kind: { code: 'authenticator_on' } })
  expect(await kept()).toEqual(before)
})
