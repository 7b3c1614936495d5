import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  changeEmail,
  changePassword,
  confirmEmail,
  getSecurity,
  removeEmailChange,
  requestPasswordReset,
  resetPassword,
} from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { mailTo, newPerson, password, signIn, tokenIn } from './test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

let count = 0
const newAddress = () => `moved-${++count}@example.test`
const confirm = (token: string) => house.anyone.call(confirmEmail, { body: { token } })
const expired = { status: 400, body: { code: 'link_expired' } }

test('the new address is confirmed where it is, the old one is notified, and only then it changes', async () => {
  const [person, email] = [await newPerson(house), newAddress()]
  expect(await person.call(changeEmail, { body: { email, password: 'wrong' } })).toMatchObject({ body: { code: 'credentials_wrong' } })
  expect((await person.call(changeEmail, { body: { email: ` ${email.toUpperCase()}`, password } })).body).toMatchObject({ email })
  expect((await person.call(getSecurity)).body).toMatchObject({ email: person.email, email_change: { email } })
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain(`asked to change your e-mail address to ${email}`)
  const token = await tokenIn(house, email)
  const answers = await Promise.all([confirm(token), confirm(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await person.call(getUserInfo)).body.email).toBe(email)
  expect((await person.call(getSecurity)).body.email_change).toBeNull()
  expect((await mailTo(house, person.email)).at(-1)!.text).toContain('This address no longer signs in')
  expect([(await signIn(house, person.email)).status, (await signIn(house, email)).status]).toEqual([400, 200])
  expect((await house.events(person.account_id)).map(({ name, detail }) => [name, detail])).toEqual([
    ['auth.email_change_asked', { new_email: email }],
    ['auth.email_changed', { old_email: person.email, new_email: email }],
  ])
})

test('an address that is somebody’s answers the same; the words are in the mail to it alone', async () => {
  const [person, other] = [await newPerson(house), await newPerson(house)]
  const taken = await person.call(changeEmail, { body: { email: other.email, password } })
  const free = await person.call(changeEmail, { body: { email: newAddress(), password } })
  expect(taken.status).toBe(200)
  expect(Object.keys(taken.body)).toEqual(Object.keys(free.body))
  const [mail] = await mailTo(house, other.email)
  expect(mail!.text).toContain('there is an account with it already')
  expect(mail!.text).not.toContain('token=')
})

test('a link to set a password that went to the old address is worth nothing once it changed', async () => {
  const [person, email] = [await newPerson(house), newAddress()]
  await house.anyone.call(requestPasswordReset, { body: { email: person.email } })
  await house.settle()
  const old = await tokenIn(house, person.email)
  await person.call(changeEmail, { body: { email, password } })
  expect((await confirm(await tokenIn(house, email))).status).toBe(200)
  expect(await house.anyone.call(resetPassword, { body: { token: old, password: 'another good password' } })).toMatchObject({
    status: 400,
    body: { code: 'link_expired' },
  })
  expect((await signIn(house, email)).status).toBe(200)
})

test('a later change takes the place of the one before, and either can be taken back', async () => {
  const person = await newPerson(house)
  const [first, second] = [newAddress(), newAddress()]
  await person.call(changeEmail, { body: { email: first, password } })
  await person.call(changeEmail, { body: { email: second, password } })
  expect(await confirm(await tokenIn(house, first))).toMatchObject(expired)
  await person.call(removeEmailChange)
  expect((await person.call(getSecurity)).body.email_change).toBeNull()
  expect(await confirm(await tokenIn(house, second))).toMatchObject(expired)
})

test('a link lives a day, and loses against whoever took the address meanwhile', async () => {
  const person = await newPerson(house)
  const [late, raced] = [newAddress(), newAddress()]
  await person.call(changeEmail, { body: { email: late, password } })
  house.clock.advance({ hours: 24 })
  expect(await confirm(await tokenIn(house, late))).toMatchObject(expired)
  await person.call(changeEmail, { body: { email: raced, password } })
  const other = await newPerson(house)
  await house.db.updateTable('person').set({ email: raced }).where('id', '=', other.person_id).execute()
  expect(await confirm(await tokenIn(house, raced))).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await person.call(getUserInfo)).body.email).toBe(person.email)
})

test('only so many changes are mailed', async () => {
  const person = await newPerson(house)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await person.call(changeEmail, { body: { email: newAddress(), password } })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('a new password takes back a change that somebody else may have begun with the old one', async () => {
  const [person, email] = [await newPerson(house), newAddress()]
  await person.call(changeEmail, { body: { email, password } })
  expect((await person.call(changePassword, { body: { password, new_password: 'another good password' } })).status).toBe(200)
  expect(await confirm(await tokenIn(house, email))).toMatchObject(expired)
})
