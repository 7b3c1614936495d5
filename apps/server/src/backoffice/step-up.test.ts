import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSecurity, startAuthenticator } from '@masthead/contract/account/security-operations'
import { challengePasskey } from '@masthead/contract/auth/step-operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { codeOf, newPasskey, newPerson, password, switchOn, type TestPerson } from '../account/test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { staffSecondFactor: true } })
})
afterAll(() => house[Symbol.asyncDispose]())

const reason = 'Ticket 7'
async function newStaff(): Promise<TestPerson> {
  const person = await newPerson(house)
  await house.db
    .updateTable('person')
    .set({ permissions: ['backoffice'] })
    .where('id', '=', person.person_id)
    .execute()
  return person
}
const enter = (person: TestPerson, proof: object) => person.call(enterBackoffice, { body: { reason, ...proof } })
const challengeFor = async () => (await house.anyone.call(challengePasskey, { body: { use: 'proof' } })).body.challenge as string
const missing = { status: 409, body: { code: 'staff_second_factor' } }

test('a password alone is not enough, right or wrong, and nobody is logged as having entered', async () => {
  const staff = await newStaff()
  for (const given of [password, 'wrong']) expect(await enter(staff, { password: given })).toMatchObject(missing)
  expect((await staff.call(getSecurity)).body).toMatchObject({ staff_second_factor: true, passkeys: [], authenticator: null })
  expect(await house.db.selectFrom('backoffice_stay').select('id').where('person_id', '=', staff.person_id).execute()).toEqual([])
  // An app that waits for its first code is none yet.
  await staff.call(startAuthenticator, { body: { password } })
  expect(await enter(staff, { password, code: '123456' })).toMatchObject(missing)
})

test('a code beside the password lets in, once', async () => {
  const { person: staff, secret, recovery_codes } = await switchOn(house, await newStaff())
  expect(await enter(staff, { password })).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect(await enter(staff, { password, code: codeOf(house, secret, 20) })).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  const code = codeOf(house, secret)
  expect(await enter(staff, { password: 'wrong', code })).toMatchObject({ status: 400, body: { code: 'credentials_wrong' } })
  const entered = await enter(staff, { password, code })
  expect(entered.status).toBe(200)
  expect((await staff.call(getHome, {}, { 'x-backoffice-token': entered.body.token })).status).toBe(200)
  expect(await enter(staff, { password, code })).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  // Without the phone at hand.
  expect((await enter(staff, { password, code: recovery_codes[0] })).status).toBe(200)
  expect(await enter(staff, { password, code: recovery_codes[0] })).toMatchObject({ status: 400 })
})

test('a passkey lets in, once, and only one’s own', async () => {
  const [staff, other] = [await newStaff(), await newStaff()]
  const { key } = await newPasskey(staff)
  const passkey = key.sign(await challengeFor())
  expect(await enter(other, { passkey })).toMatchObject({ status: 400, body: { code: 'passkey_refused' } })
  const entered = await enter(staff, { passkey })
  expect(entered.status).toBe(200)
  expect((await staff.call(getHome, {}, { 'x-backoffice-token': entered.body.token })).status).toBe(200)
  expect(await enter(staff, { passkey })).toMatchObject({ status: 400, body: { code: 'passkey_refused' } })
  expect(await enter(staff, { passkey: key.sign(await challengeFor(), { verified: false }) })).toMatchObject({ status: 400 })
  // Whoever has one uses it.
  expect(await enter(staff, { password })).toMatchObject({ ...missing, body: { detail: expect.stringContaining('use your passkey') } })
})

test('with both, the code is asked for beside the passkey', async () => {
  const staff = await newStaff()
  const { key } = await newPasskey(staff)
  const { person, secret } = await switchOn(house, staff)
  expect(await enter(person, { passkey: key.sign(await challengeFor()) })).toMatchObject({ status: 400, body: { code: 'code_wrong' } })
  expect((await enter(person, { passkey: key.sign(await challengeFor()), code: codeOf(house, secret) })).status).toBe(200)
})
