import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword } from '@masthead/contract/account/security-operations'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { challengePasskey, passSecondStep, signInWithPasskey } from '@masthead/contract/auth/step-operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { stopViewing, viewAccount } from '@masthead/contract/backoffice/account-operations'
import { isWrite } from '@masthead/contract/kernel/operation'
import { openHouse, type Answer, type House } from '@masthead/testkit/house'
import { codeOf, cookiesOf, newPasskey, newPerson, password, signIn, switchOn } from '../../account/test-person.ts'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { routes } from '../../routes.ts'

// The answer to a call that spends what it is asked with is lost on its way: nobody is to lose more by that than the answer.

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
})
afterAll(() => house[Symbol.asyncDispose]())

type Send = (headers?: Record<string, string>) => Promise<Answer<unknown>>
const sessionIn = (answer: Answer<unknown>) => /masthead_session=[^;]+/.exec(cookiesOf(answer))?.[0]
const cleared = ({ headers }: Answer<unknown>) =>
  [headers['set-cookie'] ?? []].flat().some((one) => String(one).startsWith('masthead_session=;'))
const statusOf = async (cookie: string) => (await house.anyone.call(getUserInfo, {}, { cookie })).status

/** Each of them, ready to be sent; what it is sent with stays the same, as in a browser that gets no answer. */
const ways: Record<string, () => Promise<Send>> = {
  'auth.logout': async () => {
    const { cookie } = await newPerson(house)
    return (headers) => house.anyone.call(logout, {}, { cookie, ...headers })
  },
  'account.changePassword': async () => {
    const { cookie } = await newPerson(house)
    const body = { password, new_password: 'another good password' }
    return (headers) => house.anyone.call(changePassword, { body }, { cookie, ...headers })
  },
  'auth.passSecondStep': async () => {
    const { secret, person } = await switchOn(house, await newPerson(house))
    const cookie = cookiesOf(await signIn(house, person.email))
    const body = { code: codeOf(house, secret) }
    return (headers) => house.anyone.call(passSecondStep, { body }, { cookie, ...headers })
  },
  'auth.signInWithPasskey': async () => {
    const { key } = await newPasskey(await newPerson(house))
    const { challenge } = (await house.anyone.call(challengePasskey, { body: { use: 'sign_in' } })).body
    const body = { passkey: key.sign(challenge as string) }
    return (headers) => house.anyone.call(signInWithPasskey, { body }, headers)
  },
  'backoffice.leaveBackoffice': async () => {
    const { cookie, token } = await enterStaff(house)
    return (headers) => house.anyone.call(leaveBackoffice, {}, { cookie, 'x-backoffice-token': token, ...headers })
  },
  'backoffice.viewAccount': async () => {
    const [{ cookie, token }, customer] = [await enterStaff(house), await house.newOwner()]
    const input = { params: { email: customer.email }, body: { reason: 'A ticket' } }
    return (headers) => house.anyone.call(viewAccount, input, { cookie, 'x-backoffice-token': token, ...headers })
  },
  'backoffice.stopViewing': async () => {
    const [staff, customer] = [await enterStaff(house), await house.newOwner()]
    await staff.call(viewAccount, { params: { email: customer.email }, body: { reason: 'A ticket' } })
    const { cookie } = staff
    return (headers) => house.anyone.call(stopViewing, {}, { cookie, ...headers })
  },
}

test('every call that spends something is here', () => {
  const spending = routes.map(({ op }) => op).filter(({ spends }) => spends)
  expect(spending.map(({ name }) => name).toSorted()).toEqual(Object.keys(ways).toSorted())
  expect(spending.every(isWrite)).toBe(true)
})

let keys = 0
const newKey = () => ({ 'idempotency-key': `lost-${++keys}` })

test.each(Object.keys(ways))('%s: sent again with its key it is answered, and brings what the lost answer had', async (name) => {
  const send = await ways[name]!()
  const key = newKey()
  const lost = await send(key)
  expect(lost.status, lost.text).toBe(200)
  // The secret from before has ended by now.
  house.clock.advance({ seconds: 40 })
  const again = await send(key)
  expect([again.status, again.text, sessionIn(again), cleared(again)]).toEqual([200, lost.text, sessionIn(lost), cleared(lost)])
  const session = sessionIn(lost)
  if (session) expect(await statusOf(session)).toBe(200)
  // Whoever got it sends again with what they have now.
  if (session) expect(await send({ ...key, cookie: session })).toMatchObject({ status: 200, text: lost.text })
})

/** Somebody else does the same for themselves with it. */
const forAnybody = new Set(['auth.logout', 'account.changePassword', 'auth.signInWithPasskey'])

test.each(Object.keys(ways))('%s: without its key, with another one, as somebody else or too late it is refused', async (name) => {
  const send = await ways[name]!()
  const key = newKey()
  const lost = await send(key)
  const { cookie } = await newPerson(house)
  house.clock.advance({ seconds: 40 })
  const others = [await send(), await send(newKey()), ...(forAnybody.has(name) ? [] : [await send({ ...key, cookie })])]
  house.clock.advance({ minutes: 5 })
  for (const answer of [...others, await send(key)]) {
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(sessionIn(answer)).toBeUndefined()
  }
  const session = sessionIn(lost)
  if (session) expect(await statusOf(session)).toBe(200)
})

test('whoever signed in anew meanwhile keeps that session', async () => {
  const { secret, person } = await switchOn(house, await newPerson(house))
  const step = cookiesOf(await signIn(house, person.email))
  const key = newKey()
  const pass = (cookie: string) => house.anyone.call(passSecondStep, { body: { code: codeOf(house, secret) } }, { cookie, ...key })
  const first = sessionIn(await pass(step))!
  await house.anyone.call(logout, {}, { cookie: first })
  const again = await pass(`${step}; ${person.cookie}`)
  expect([again.status, cleared(again), sessionIn(again)]).toEqual([200, false, undefined])
})

test('a session that was ended elsewhere does not come back by it', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  const key = newKey()
  const change = () => house.anyone.call(changePassword, { body: { password, new_password: 'another good password' } }, { cookie, ...key })
  const changed = sessionIn(await change())!
  await house.anyone.call(logout, {}, { cookie: changed })
  const again = await change()
  expect([again.status, sessionIn(again), cleared(again)]).toEqual([200, undefined, true])
  expect(await Promise.all([cookie, changed].map(statusOf))).toEqual([401, 401])
})
