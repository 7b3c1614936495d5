import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword, requestPasswordReset, resetPassword } from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { passSecondStep } from '@masthead/contract/auth/step-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { codeOf, cookiesOf, mailTo, newPerson, password, signIn, switchOn, tokenIn, withCookies } from './test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { trustProxy: 1 } })
})
afterAll(() => house[Symbol.asyncDispose]())

const fresh = 'another good password'
const forget = (email: string, headers = {}) => house.anyone.call(requestPasswordReset, { body: { email } }, headers)
const reset = (token: string, given = fresh) => house.anyone.call(resetPassword, { body: { token, password: given } })
const expired = { status: 400, body: { code: 'link_expired' } }

test('changing the password takes the old one, ends every other session and renews this one at once', async () => {
  const person = await newPerson(house)
  const elsewhere = withCookies(house, person, await signIn(house, person.email))
  const before = { cookie: person.cookie }
  expect(await person.call(changePassword, { body: { password: 'wrong', new_password: fresh } })).toMatchObject({
    status: 400,
    body: { fields: { password: 'The password is wrong' } },
  })
  expect(await person.call(changePassword, { body: { password, new_password: person.email } })).toMatchObject({
    status: 400,
    body: { fields: { new_password: expect.stringContaining('e-mail') } },
  })
  const answer = await person.call(changePassword, { body: { password, new_password: fresh } })
  expect(answer.status).toBe(200)
  const after = withCookies(house, person, answer)
  expect((await after.call(getUserInfo)).status).toBe(200)
  expect([(await house.anyone.call(getUserInfo, {}, before)).status, (await elsewhere.call(getUserInfo)).status]).toEqual([401, 401])
  expect([(await signIn(house, person.email)).status, (await signIn(house, person.email, fresh)).status]).toEqual([400, 200])
  expect((await house.events(person.account_id)).at(-1)).toMatchObject({ name: 'auth.password_changed', detail: { by_mail: false } })
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('Your password was changed.')
})

test('a half sign-in with the old password ends with it', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const half = { cookie: cookiesOf(await signIn(house, person.email)) }
  const code = codeOf(house, secret)
  expect((await person.call(changePassword, { body: { password, code, new_password: fresh } })).status).toBe(200)
  expect(await house.anyone.call(passSecondStep, { body: { code: codeOf(house, secret, 1) } }, half)).toMatchObject({
    body: { code: 'sign_in_expired' },
  })
})

test('asking for a link does the same for an address that is somebody’s and one that is nobody’s', async () => {
  const person = await newPerson(house)
  const jobs = async () =>
    (
      await house.app.pool.query<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs where task_identifier like 'account.%'`
      )
    ).rows[0]!.n
  const before = await jobs()
  const answers = [await forget(person.email), await forget('nobody@example.test')]
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ])
  // Nothing is looked up while the answer is waited for: one job each.
  expect(await jobs()).toBe(before + 2)
  await house.settle()
  expect(await mailTo(house, 'nobody@example.test')).toEqual([])
  expect((await mailTo(house, person.email)).map(({ subject }) => subject)).toEqual(['Set a new password for Masthead'])
})

test('the link sets the password once, ends every session, signs nobody in, and is told', async () => {
  const person = await newPerson(house)
  await forget(person.email.toUpperCase())
  await house.settle()
  const token = await tokenIn(house, person.email)
  const kept = JSON.stringify(await house.db.selectFrom('one_time_secret').selectAll().execute())
  expect(kept).not.toContain(token)
  expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
  expect(await reset(token, person.email)).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
  const answers = await Promise.all([reset(token), reset(token), reset(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  expect(answers.map(cookiesOf).join(';')).not.toContain('masthead_session')
  expect(await reset(token)).toMatchObject(expired)
  expect((await person.call(getUserInfo)).status).toBe(401)
  expect([(await signIn(house, person.email)).status, (await signIn(house, person.email, fresh)).status]).toEqual([400, 200])
  expect((await house.events(person.account_id)).at(-1)).toMatchObject({
    name: 'auth.password_changed',
    actor_email: person.email,
    detail: { by_mail: true },
  })
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('A new password was set by a link')
})

test('the second factor is still asked for after a reset', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  await forget(person.email)
  await house.settle()
  expect((await reset(await tokenIn(house, person.email))).status).toBe(200)
  const half = await signIn(house, person.email, fresh)
  expect(half).toMatchObject({ status: 403, body: { code: 'second_factor_needed' } })
  const code = codeOf(house, secret, 1)
  expect((await house.anyone.call(passSecondStep, { body: { code } }, { cookie: cookiesOf(half) })).status).toBe(200)
})

test('a link lives an hour; a token of another kind or of nobody is worth nothing', async () => {
  const person = await newPerson(house)
  await forget(person.email)
  await house.settle()
  const token = await tokenIn(house, person.email)
  expect(await reset('made-up')).toMatchObject(expired)
  house.clock.advance({ minutes: 59 })
  await forget(person.email)
  await house.settle()
  house.clock.advance({ minutes: 2 })
  expect(await reset(token)).toMatchObject(expired)
  expect((await reset(await tokenIn(house, person.email))).status).toBe(200)
})

test('somebody else who asks again and again takes no link away and fills no mailbox', async () => {
  const person = await newPerson(house)
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    statuses.push((await forget(person.email, { 'x-forwarded-for': '10.4.0.1' })).status)
    await house.settle()
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(await mailTo(house, person.email)).toHaveLength(3)
  expect((await forget(person.email, { 'x-forwarded-for': '10.4.0.2' })).status).toBe(200)
  expect((await reset(await tokenIn(house, person.email))).status).toBe(200)
})

test('whoever sets a password by the link signs in here, however many strangers guess meanwhile', async () => {
  const limits = { signInPerAddress: 1000, failuresPerEmail: 1, registrationsPerAddress: 50 }
  await using small = await openHouse({ config: { trustProxy: 1, limits } })
  const person = await newPerson(small)
  const guess = async () => {
    for (let i = 0; i < 12; i++) await signIn(small, person.email, 'wrong', { 'x-forwarded-for': `10.8.${i}.1` })
  }
  await guess()
  expect((await signIn(small, person.email)).status).toBe(429)
  await small.anyone.call(requestPasswordReset, { body: { email: person.email } })
  await small.settle()
  const answer = await small.anyone.call(resetPassword, { body: { token: await tokenIn(small, person.email), password: fresh } })
  expect(answer.status).toBe(200)
  expect((await signIn(small, person.email, fresh)).status).toBe(429)
  expect((await signIn(small, person.email, fresh, { cookie: cookiesOf(answer) })).status).toBe(200)
})
