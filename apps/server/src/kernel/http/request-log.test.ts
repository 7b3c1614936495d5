import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { cookiesOf, password, registerPerson, signIn } from '../../account/test-person.ts'

let house: House
let lines: Record<string, unknown>[] = []
beforeAll(async () => {
  house = await openHouse()
  Object.assign(house.app, { log: pino({ base: undefined }, { write: (line: string) => lines.push(JSON.parse(line) as never) }) })
})
beforeEach(() => (lines = []))
afterAll(() => house[Symbol.asyncDispose]())

const idOf = async (email: string) =>
  (await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
const said = () => lines.map(({ security, operation, person, key, code }) => ({ security, operation, person, key, code }))

test('who signs in and out is said by name of the person, and nothing that opens anything is', async () => {
  const email = 'log@example.test'
  await registerPerson(house, email)
  const person = await idOf(email)
  lines = []
  const cookie = cookiesOf(await signIn(house, email))
  await house.anyone.call(getUserInfo, {}, { cookie })
  await house.anyone.call(logout, {}, { cookie })
  expect(said()).toEqual([
    { security: 'signed_in', operation: 'auth.login', person },
    { security: undefined, operation: 'auth.getUserInfo', person },
    { security: 'signed_out', operation: 'auth.logout', person },
  ])
  const all = JSON.stringify(lines)
  for (const secret of [password, email, ...cookie.split('; ').map((each) => each.split('=')[1]!)]) expect(all).not.toContain(secret)
})

test("wrong passwords and whom they shut out are said, of an e-mail that is nobody's too, without the e-mail", async () => {
  const email = 'shut@example.test'
  await registerPerson(house, email)
  const person = await idOf(email)
  lines = []
  await signIn(house, 'my-password-in-the-wrong-field@example.test', 'wrong one')
  for (let n = 0; n < 11; n++) await signIn(house, email, 'wrong one')
  expect(said()[0]).toEqual({ security: 'proof_failed', operation: 'auth.login', person: undefined, code: 'credentials_wrong' })
  expect(said()[1]).toEqual({ security: 'proof_failed', operation: 'auth.login', person, code: 'credentials_wrong' })
  expect(said().at(-1)).toEqual({ security: 'locked_out', operation: 'auth.login', person, code: 'too_many_requests' })
  expect(lines.every(({ level }) => level === 40)).toBe(true)
  expect(JSON.stringify(lines)).not.toMatch(/wrong one|example\.test/)
})

test('a refusal names the key or the person who was refused', async () => {
  const owner = await house.newOwner()
  const member = await house.newMember(owner, ['overview.view'])
  const key = (await owner.call(createApiKey, { body: { name: 'Read', scopes: ['overview.view'] } })).body
  lines = []
  expect((await house.anyone.call(listAssets, {}, { 'x-api-key': key.secret })).status).toBe(403)
  expect((await member.call(listAssets)).status).toBe(403)
  expect((await house.anyone.call(listAssets)).status).toBe(401)
  expect(said()).toEqual([
    { security: 'refused', operation: 'assets.listAssets', person: await idOf(owner.email), key: key.id, code: 'forbidden' },
    { security: 'refused', operation: 'assets.listAssets', person: await idOf(member.email), code: 'forbidden' },
    { security: 'refused', operation: 'assets.listAssets', code: 'unauthenticated' },
  ])
  expect(JSON.stringify(lines)).not.toContain(key.secret)
})
