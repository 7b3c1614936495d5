import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword, requestPasswordReset, resetPassword } from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { challengePasskey, passSecondStep } from '@masthead/contract/auth/step-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { hashPassword } from '../auth/index.ts'
import { codeOf, cookiesOf, mailTo, newPasskey, newPerson, password, signIn, switchOn, tokenIn, withCookies } from './test-person.ts'

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

test('the link sets the password once, ends every session, signs nobody in, and is notified', async () => {
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

/** How many calls wait for what somebody else has locked. */
const waiting = async () =>
  (
    await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
  ).rows[0]!.count

/** Lets a call with the password from before begin, and sets another while it is under way. */
async function overtaken<T>(person_id: string, call: () => Promise<T>): Promise<T> {
  const password_hash = await hashPassword(fresh)
  let called: Promise<T>
  await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('person').select('id').where('id', '=', person_id).forUpdate().execute()
    called = call()
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    await tx.updateTable('person').set({ password_hash }).where('id', '=', person_id).execute()
  })
  return called!
}

test('whoever is signing in with the old password while it is changed stays outside, and does not bring it back', async () => {
  const weaker = await hashPassword(password, { memory: 8192, passes: 1, parallelism: 1 })
  for (const stored of [undefined, weaker]) {
    const person = await newPerson(house)
    if (stored) await house.db.updateTable('person').set({ password_hash: stored }).where('id', '=', person.person_id).execute()
    expect(await overtaken(person.person_id, () => signIn(house, person.email))).toMatchObject({
      status: 400,
      body: { code: 'credentials_wrong' },
    })
    expect([(await signIn(house, person.email)).status, (await signIn(house, person.email, fresh)).status]).toEqual([400, 200])
  }
})

test('what rests on the old password fails when that is changed meanwhile', async () => {
  const person = await newPerson(house)
  const mine = { password, new_password: 'the password of a thief' }
  expect(await overtaken(person.person_id, () => person.call(changePassword, { body: mine }))).toMatchObject({
    status: 400,
    body: { code: 'credentials_wrong' },
  })
  expect([(await signIn(house, person.email, mine.new_password)).status, (await signIn(house, person.email, fresh)).status]).toEqual([
    400, 200,
  ])
})

test('two sign-ins at once with a password that is to be hashed anew both succeed', async () => {
  const person = await newPerson(house)
  const password_hash = await hashPassword(password, { memory: 8192, passes: 1, parallelism: 1 })
  await house.db.updateTable('person').set({ password_hash }).where('id', '=', person.person_id).execute()
  const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(house, person.email)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('a session that is signed out while it proves itself proves nothing', async () => {
  const person = await newPerson(house)
  const { key } = await newPasskey(person)
  const { challenge } = (await person.call(challengePasskey, { body: { use: 'proof' } })).body
  let called: ReturnType<typeof person.call>
  await house.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('session').where('person_id', '=', person.person_id).execute()
    called = person.call(changePassword, { body: { passkey: key.sign(challenge as string), new_password: fresh } })
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  })
  expect(await called!).toMatchObject({ status: 401 })
  expect((await signIn(house, person.email)).status).toBe(200)
})
