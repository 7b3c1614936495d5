import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPasskey, prove, startPasskey } from '@masthead/contract/account/security-operations'
import { getUserInfo, switchAccount } from '@masthead/contract/auth/operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { stopViewing, viewAccount } from '@masthead/contract/backoffice/account-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newPerson, password, type TestPerson } from '../../account/test-person.ts'
import { newTestPasskey } from '../../factors/test-passkey.ts'

// What a session may do changes: so does its secret. Whoever saw the one before has half a minute of it, and nothing of what was won.

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
})
afterAll(() => house[Symbol.asyncDispose]())

const statusOf = async (cookie: string) => (await house.anyone.call(getUserInfo, {}, { cookie })).status

/** Does something as somebody; the session has another secret then, and the one before ends. */
async function expectRotated(person: TestPerson, act: () => Promise<{ status: number; text: string }>) {
  const { cookie } = person
  const { status, text } = await act()
  expect(status, text).toBe(200)
  expect(person.cookie).not.toBe(cookie)
  expect(await Promise.all([cookie, person.cookie].map(statusOf))).toEqual([200, 200])
  house.clock.advance({ seconds: 31 })
  expect(await Promise.all([cookie, person.cookie].map(statusOf))).toEqual([401, 200])
}

test('a proof, and a passkey that is added', async () => {
  const person = await newPerson(house)
  await expectRotated(person, () => person.call(prove, { body: { password } }))
  const { challenge } = (await person.call(startPasskey, { body: { password } })).body
  const passkey = newTestPasskey().register(challenge as string)
  await expectRotated(person, () => person.call(addPasskey, { body: { name: 'Key', passkey } }))
})

test('the way into the backoffice, a look at a customer’s account, and its end', async () => {
  const [person, customer] = [await newPerson(house), await house.newOwner()]
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice'] })
    .where('id', '=', person.person_id)
    .execute()
  let token = ''
  const body = { reason: 'A test' }
  await expectRotated(person, async () => {
    const answer = await person.call(enterBackoffice, { body: { ...body, password } })
    token = answer.body.token
    return answer
  })
  // The stay goes with the session, whatever its secret is.
  const look = () => person.call(viewAccount, { params: { email: customer.email }, body }, { 'x-backoffice-token': token })
  await expectRotated(person, look)
  await expectRotated(person, () => person.call(stopViewing))
})

test('a switch of account; and nothing of it where it is refused', async () => {
  const person = await newPerson(house)
  await expectRotated(person, () => person.call(switchAccount, { body: { team_member_email: person.email } }))
  const { cookie } = person
  const refused = [
    await person.call(prove, { body: { password: 'wrong' } }),
    await person.call(enterBackoffice, { body: { password, reason: 'A test' } }),
    await person.call(switchAccount, { body: { team_member_email: 'nobody@example.test' } }),
  ]
  expect(refused.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual([400, 403, 403].map((one) => [one, undefined]))
  expect(person.cookie).toBe(cookie)
})

test('sent again with its key it is answered, and the session keeps the secret it got', async () => {
  const person = await newPerson(house)
  const again = () => person.call(prove, { body: { password } }, { 'idempotency-key': 'a proof' })
  await expectRotated(person, again)
  const { cookie } = person
  expect((await again()).status).toBe(200)
  expect(person.cookie).toBe(cookie)
})

test('many at once all bring the same secret, whichever answer the browser reads last', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  const proofs = Array.from({ length: 5 }, () => person.call(prove, { body: { password } }))
  const switches = Array.from({ length: 5 }, () => person.call(switchAccount, { body: { team_member_email: person.email } }))
  const given = (await Promise.all([...proofs, ...switches])).map(({ status, headers }) => [
    status,
    String(headers['set-cookie']).split(';')[0],
  ])
  expect(given).toEqual(given.map(() => [200, person.cookie]))
  expect(person.cookie).not.toBe(cookie)
  expect(await Promise.all([cookie, person.cookie].map(statusOf))).toEqual([200, 200])
})

test('the secret from before ends when it was said to, however often it is used', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  const again = () => house.anyone.call(switchAccount, { body: { team_member_email: person.email } }, { cookie })
  expect((await again()).status).toBe(200)
  house.clock.advance({ seconds: 20 })
  expect((await again()).status).toBe(200)
  house.clock.advance({ seconds: 11 })
  expect((await again()).status).toBe(401)
})

test('the secret from before wins the next one by a proof alone, not by a switch of account', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  expect((await person.call(prove, { body: { password } })).status).toBe(200)
  house.clock.advance({ seconds: 1 })
  // Whoever has only what was replaced may go on for its half minute, and no longer.
  const late = await house.anyone.call(switchAccount, { body: { team_member_email: person.email } }, { cookie })
  expect([late.status, late.headers['set-cookie']]).toEqual([200, undefined])
  const again = await house.anyone.call(prove, { body: { password } }, { cookie })
  expect(String(again.headers['set-cookie']).split(';')[0]).toBe(person.cookie)
})

test('a switch whose answer was lost brings the secret when it is sent again with its key', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  const send = () =>
    house.anyone.call(switchAccount, { body: { team_member_email: person.email } }, { cookie, 'idempotency-key': 'a switch' })
  const lost = await send()
  house.clock.advance({ seconds: 1 })
  expect((await send()).headers['set-cookie']).toEqual(lost.headers['set-cookie'])
})

test('a proof whose answer was lost brings the secret when it is sent again with its key', async () => {
  const person = await newPerson(house)
  const { cookie } = person
  const send = () => house.anyone.call(prove, { body: { password } }, { cookie, 'idempotency-key': 'a lost proof' })
  const lost = await send()
  house.clock.advance({ seconds: 1 })
  const again = await send()
  expect([again.status, again.headers['set-cookie']]).toEqual([200, lost.headers['set-cookie']])
})
