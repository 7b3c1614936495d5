import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeEmail, requestPasswordReset } from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { register } from '@masthead/contract/auth/sign-in-operations'
import { challengePasskey } from '@masthead/contract/auth/step-operations'
import { deleteInvitation, resendInvitation, updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { hearStatements } from '@masthead/testkit/statements'
import { cookiesOf, password, registerPerson, signIn } from '../account/test-person.ts'

// Whether an e-mail address is somebody's must not show in words, nor in the work that is done before the answer. Time itself is not
// measured here: what takes the time is, the statements and the slow hash.

let house: House
let heard: ReturnType<typeof hearStatements>
beforeAll(async () => {
  const limits = { signInPerAddress: 1000, failuresPerEmail: 50, registrationsPerAddress: 50 }
  house = await openHouse({ config: { trustProxy: 1, limits } })
  heard = hearStatements(house.app.pool)
  await registerPerson(house, 'somebody@example.test')
})
afterAll(() => house[Symbol.asyncDispose]())

/** The statements that a call sends to the database, without their values. */
const statementsOf = async (run: () => Promise<unknown>): Promise<string[]> => (await heard.during(run)).statements
const said = ({ status, text }: { status: number; text: string }) => ({ status, text: text.replace(/"request_id":"[^"]*"/, '') })

test('a wrong password does the same work, and says the same, whether the e-mail is somebody’s or not', async () => {
  const answers: unknown[] = []
  const tryAs = (email: string) => statementsOf(async () => answers.push(said(await signIn(house, email, 'not the password'))))
  await tryAs('somebody@example.test')
  const known = await tryAs('somebody@example.test')
  const unknown = await tryAs('nobody@example.test')
  expect(known.length).toBeGreaterThan(2)
  expect(unknown).toEqual(known)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
})

test('asking for a new password does the same work, and says the same', async () => {
  const answers: unknown[] = []
  const ask = (email: string) =>
    statementsOf(async () => answers.push(said(await house.anyone.call(requestPasswordReset, { body: { email } }))))
  const known = await ask('somebody@example.test')
  const unknown = await ask('nobody@example.test')
  expect(known.length).toBeGreaterThan(2)
  expect(unknown).toEqual(known)
  expect(answers[1]).toEqual(answers[0])
})

test('inviting somebody, again, and taking it back does the same work, and says the same', async () => {
  const owner = await house.newOwner()
  const invite = async (email: string) => {
    const answers: [number, string][] = []
    const statements = await statementsOf(async () => {
      for (const answer of [
        await owner.call(updateInvitation, { body: { email, permissions: ['assets.view'] } }),
        await owner.call(resendInvitation, { body: { email } }),
        await owner.call(deleteInvitation, { params: { invited_email: email } }),
      ])
        answers.push([answer.status, answer.text.replace(email, '')])
    })
    return { statements, answers }
  }
  await invite('first@example.test')
  const known = await invite('somebody@example.test')
  expect(known.answers.map(([status]) => status)).toEqual([200, 200, 200])
  expect(await invite('nobody@example.test')).toEqual(known)
})

test('changing one’s e-mail does the same work whether the new one is somebody’s or not', async () => {
  const cookie = cookiesOf(await registerPerson(house, 'mover@example.test'))
  const change = (email: string) => statementsOf(() => house.anyone.call(changeEmail, { body: { email, password } }, { cookie }))
  await change('first@example.test')
  expect(await change('somebody@example.test')).toEqual(await change('nobody@example.test'))
})

test('what a passkey is to sign names nobody', async () => {
  const ask = async () => Object.entries((await house.anyone.call(challengePasskey, { body: { use: 'sign_in' } })).body)
  const fixed = (entries: [string, unknown][]) => entries.filter(([name]) => name !== 'challenge')
  expect(fixed(await ask())).toEqual(fixed(await ask()))
})

test('a taken e-mail takes the slow hash too before registration says so', async () => {
  const open = (email: string) => statementsOf(() => house.anyone.call(register, { body: { email, password, team_name: 'X' } }))
  const taken = await open('somebody@example.test')
  const free = await open('fresh@example.test')
  // Up to the insert that finds it taken the two are the same.
  const upTo = taken.findIndex((text) => text.startsWith('insert into "person"'))
  expect(upTo).toBeGreaterThan(0)
  expect(free.slice(0, upTo + 1)).toEqual(taken.slice(0, upTo + 1))
})

test('a session given before signing in is not the one after it', async () => {
  const planted = 'masthead_session=planted-by-somebody-else'
  const after = cookiesOf(await signIn(house, 'somebody@example.test', password, { cookie: planted }))
  expect(after).not.toContain('planted')
  expect((await house.anyone.call(getUserInfo, {}, { cookie: planted })).status).toBe(401)
  expect((await house.anyone.call(getUserInfo, {}, { cookie: after })).status).toBe(200)
})

test('nobody is locked out for good by what others do: every window ends, and a known browser has its own', async () => {
  await using small = await openHouse({
    config: { trustProxy: 1, limits: { signInPerAddress: 1000, failuresPerEmail: 1, registrationsPerAddress: 50 } },
  })
  const email = 'target@example.test'
  const device = cookiesOf(await registerPerson(small, email)).replace(/masthead_session=[^;]+; /, '')
  const attack = async () => {
    for (let i = 0; i < 12; i++) for (let j = 0; j < 2; j++) await signIn(small, email, 'wrong', { 'x-forwarded-for': `10.7.${i}.1` })
  }
  await attack()
  expect((await signIn(small, email, password, { 'x-forwarded-for': '10.7.99.1' })).status).toBe(429)
  expect((await signIn(small, email, password, { 'x-forwarded-for': '10.7.99.1', cookie: device })).status).toBe(200)
  // Refused tries do not make the wait longer.
  small.clock.advance({ seconds: 200 })
  await attack()
  small.clock.advance({ seconds: 101 })
  expect((await signIn(small, email, password, { 'x-forwarded-for': '10.7.99.1' })).status).toBe(200)
})
