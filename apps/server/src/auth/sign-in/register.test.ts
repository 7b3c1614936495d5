import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { getSetup, login, register } from '@masthead/contract/auth/sign-in-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { cookiesOf, password, registerPerson, signIn } from '../../account/test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  // Somebody is there, so that nobody here is the first.
  await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const body = (email: string, more = {}) => ({ email, password, team_name: 'Acme', ...more })

test('registering opens an account, signs in and is recorded', async () => {
  const answer = await house.anyone.call(register, { body: body(' New@Example.TEST ') })
  expect(answer).toMatchObject({ status: 200, body: { email: 'new@example.test', team_name: 'Acme' } })
  const cookie = cookiesOf(answer)
  const info = await house.anyone.call(getUserInfo, {}, { cookie })
  expect(info.body).toEqual({
    email: 'new@example.test',
    team_name: 'Acme',
    groups: [],
    permissions: [],
    acting_as: null,
    member_of: [],
    pending_invitations_from: [],
    team_members: [],
  })
  const account = await house.anyone.call(getAccount, {}, { cookie })
  expect(account.body).toMatchObject({ email: 'new@example.test', team_name: 'Acme', suspended: false, currency: 'USD' })
  expect(await house.events(account.body.id)).toEqual([
    { name: 'auth.account_registered', actor_email: 'new@example.test', detail: { email: 'new@example.test', team_name: 'Acme' } },
  ])
})

test('an e-mail that is taken is a conflict, in whatever case', async () => {
  await registerPerson(house, 'taken@example.test')
  const again = await registerPerson(house, 'TAKEN@example.test', {}, 'another good password')
  expect(again).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await signIn(house, 'taken@example.test', 'another good password')).status).toBe(400)
})

test('of ten that register one e-mail at once, one gets it and no account is left over', async () => {
  const accounts = () => house.db.selectFrom('account').select('id').execute()
  const before = (await accounts()).length
  const answers = await Promise.all(Array.from({ length: 10 }, () => registerPerson(house, 'race@example.test')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)])
  expect(await accounts()).toHaveLength(before + 1)
})

test.each([
  ['no password', { password: '' }, 'password', /at least 10/],
  ['a short password', { password: 'short' }, 'password', /at least 10/],
  ['a very common password', { password: 'password123' }, 'password', /commonest/],
  ['the e-mail address as password', { password: 'wrong@example.test' }, 'password', /e-mail/],
  ['no team name', { team_name: ' ' }, 'team_name', /name/],
  ['no e-mail address', { email: 'nobody' }, 'email', /e-mail/],
])('%s is refused in words', async (_, wrong, field, words) => {
  const answer = await house.anyone.call(register, { body: body('wrong@example.test', wrong) })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', fields: { [field]: expect.stringMatching(words) } } })
})

test('a repetition with the same key answers the same and signs in; with another body or password it is refused', async () => {
  const key = { 'idempotency-key': 'registration-1' }
  const first = await house.anyone.call(register, { body: body('repeat@example.test') }, key)
  const second = await house.anyone.call(register, { body: body('repeat@example.test') }, key)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.text).toBe(first.text)
  const account = await house.anyone.call(getAccount, {}, { cookie: cookiesOf(second) })
  expect(await house.events(account.body.id)).toHaveLength(1)
  for (const other of [body('other@example.test'), body('repeat@example.test', { password: 'a different password' })]) {
    const refused = await house.anyone.call(register, { body: other }, key)
    expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    expect(refused.headers['set-cookie']).toBeUndefined()
  }
})

test('nothing of the password is kept but a slow hash', async () => {
  await registerPerson(house, 'kept@example.test', { 'idempotency-key': 'kept' })
  const { password_hash } = await house.db
    .selectFrom('person')
    .select('password_hash')
    .where('email', '=', 'kept@example.test')
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=\d{5},t=\d,p=1\$/)
})

test('too many registrations from one address wait', async () => {
  await using small = await openHouse({ config: { limits: { signInPerAddress: 60, failuresPerEmail: 10, registrationsPerAddress: 2 } } })
  const answers = []
  for (const name of ['a', 'b', 'c']) answers.push(await registerPerson(small, `${name}@example.test`))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers[2]!.body.detail).toContain('60 minutes')
  expect(answers[2]!.headers['retry-after']).toBe('3600')
  small.clock.advance({ minutes: 61 })
  expect((await registerPerson(small, 'c@example.test')).status).toBe(200)
})

test('the first account of an empty installation becomes staff; of two at once exactly one', async () => {
  await using empty = await openHouse({ config: { registration: false } })
  expect((await empty.anyone.call(getSetup)).body).toMatchObject({ first_run: true, registration: false, demo: null })
  const answers = await Promise.all(['one', 'two', 'three'].map((name) => registerPerson(empty, `${name}@example.test`)))
  const infos = await Promise.all(
    answers.filter(({ status }) => status === 200).map((answer) => empty.anyone.call(getUserInfo, {}, { cookie: cookiesOf(answer) }))
  )
  expect(infos.filter(({ body }) => body.permissions.length > 0).map(({ body }) => body.permissions)).toEqual([
    [
      'backoffice',
      'audit_logs',
      'manage_networks',
      'manage_datapools',
      'manage_staff',
      'manage_usage',
      'manage_billing',
      'manage_devices',
      'manage_support',
    ],
  ])
  expect((await empty.anyone.call(getSetup)).body.first_run).toBe(false)
})

test('with registration switched off nobody else can register, and those who are there sign in', async () => {
  await using closed = await openHouse({ config: { registration: false } })
  expect((await registerPerson(closed, 'first@example.test')).status).toBe(200)
  const second = await registerPerson(closed, 'second@example.test')
  expect(second).toMatchObject({ status: 403, body: { code: 'registration_off', detail: expect.stringContaining('switched off') } })
  expect((await closed.anyone.call(login, { body: { email: 'first@example.test', password } })).status).toBe(200)
})

test('the sign-in page knows of the demo only while it is on, and of the people who are there', async () => {
  await using demo = await openHouse({ config: { demo: true } })
  expect((await demo.anyone.call(getSetup)).body.demo).toBeNull()
  await registerPerson(demo, 'owner@demo.test')
  expect((await demo.anyone.call(getSetup)).body.demo).toEqual({
    password: 'masthead-demo',
    people: [{ email: 'owner@demo.test', about: expect.any(String) }],
  })
})

test.each(['Acme\n\nYour invoice is due: https://evil.test', 'Acme\r\nBcc: all@example.test', 'Acme\u0007'])(
  'a name is one line, since mails say it: %j',
  async (team_name) => {
    const answer = await house.anyone.call(register, { body: { email: 'lines@example.test', password, team_name } })
    expect(answer).toMatchObject({ status: 400, body: { fields: { team_name: 'Use one line of text' } } })
  }
)
