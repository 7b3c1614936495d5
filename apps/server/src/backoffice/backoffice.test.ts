import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getUserInfo, logout, switchAccount } from '@masthead/contract/auth/operations'
import { register } from '@masthead/contract/auth/sign-in-operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { operation } from '@masthead/contract/kernel/operation'
import { openHouse, type House } from '@masthead/testkit/house'
import * as z from 'zod/mini'
import { authenticate } from '../auth/index.ts'
import { mount, read } from '../kernel/http/routes.ts'
import { getSigningKey } from '../kernel/secrets/signing-key.ts'

const password = 'correct horse battery'
const reason = 'Looking into ticket 1'
const whoAmI = operation({
  name: 'backoffice.whoAmI',
  method: 'GET',
  path: '/backoffice/who',
  summary: 'Test',
  access: 'audit_logs',
  reply: z.object({ kind: z.string(), staff: z.array(z.string()) }),
})

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1000, failuresPerEmail: 5, registrationsPerAddress: 1000 } } })
  mount(house.server, house.app, [read(whoAmI, async ({ actor: { kind, staff } }) => ({ kind, staff: [...staff] }))], {
    authenticate,
    sees: async () => true,
  })
  await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

let count = 0
/** Somebody with a password and staff permissions. */
async function newStaff(permissions: string[] = ['backoffice', 'audit_logs']) {
  const email = `staff-${count++}@example.test`
  const answer = await house.anyone.call(register, { body: { email, password, team_name: 'Staff' } })
  await house.db.updateTable('person').set({ permissions }).where('email', '=', email).execute()
  const { id, account_id } = await house.db
    .selectFrom('person')
    .select(['id', 'account_id'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const cookie = [answer.headers['set-cookie']].flat().map((text) => String(text).split(';')[0]!)[0]!
  const { call } = house.personWith(email, account_id, cookie)
  const enter = async (headers = {}) => (await call(enterBackoffice, { body: { password, reason } }, headers)).body
  return { id, account_id, email, call, enter }
}
type Staff = Awaited<ReturnType<typeof newStaff>>
const withToken = (token: string) => ({ 'x-backoffice-token': token })
const refused = { status: 403, body: { code: 'backoffice_token_needed' } }

test('staff confirm their password and get a token for half an hour, which staff calls take', async () => {
  const staff = await newStaff()
  const { token, expires_at } = await staff.enter()
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>
  expect(claims).toMatchObject({ sub: staff.id, permissions: ['backoffice', 'audit_logs'], exp: Math.floor(Date.parse(expires_at) / 1000) })
  expect(await staff.call(whoAmI)).toMatchObject(refused)
  expect((await staff.call(whoAmI, {}, withToken(token))).body).toEqual({ kind: 'staff', staff: ['backoffice', 'audit_logs'] })
  expect((await house.events(staff.account_id)).at(-1)).toEqual({
    name: 'backoffice.entered',
    actor_email: staff.email,
    detail: { reason },
  })
  house.clock.advance({ minutes: 29 })
  expect((await staff.call(whoAmI, {}, withToken(token))).status).toBe(200)
  house.clock.advance({ minutes: 1 })
  expect(await staff.call(whoAmI, {}, withToken(token))).toMatchObject(refused)
})

test('a wrong password, no reason, no staff permission: no token', async () => {
  const staff = await newStaff()
  expect(await staff.call(enterBackoffice, { body: { password: 'wrong', reason } })).toMatchObject({
    status: 400,
    body: { code: 'credentials_wrong', fields: { password: 'The password is wrong' } },
  })
  expect(await staff.call(enterBackoffice, { body: { password, reason: ' ' } })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fields: { reason: 'Say why' } },
  })
  const customer = await newStaff([])
  expect(await customer.call(enterBackoffice, { body: { password, reason } })).toMatchObject({ status: 403, body: { code: 'not_staff' } })
  expect(
    (await house.db.selectFrom('backoffice_stay').select('id').where('person_id', 'in', [staff.id, customer.id]).execute()).length
  ).toBe(0)
})

test('guessing the password here is limited like signing in', async () => {
  const staff = await newStaff()
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await staff.call(enterBackoffice, { body: { password: 'wrong', reason } })).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
})

test('leaving ends every token of the session', async () => {
  const staff = await newStaff()
  const [first, second] = [await staff.enter(), await staff.enter()]
  const left = await staff.call(leaveBackoffice, {}, withToken(first.token))
  expect(left.status).toBe(200)
  for (const { token } of [first, second]) expect(await staff.call(whoAmI, {}, withToken(token))).toMatchObject(refused)
  expect((await house.events(staff.account_id)).at(-1)).toMatchObject({ name: 'backoffice.left' })
  expect(await staff.call(leaveBackoffice)).toMatchObject(refused)
})

test('signing out ends it too', async () => {
  const staff = await newStaff()
  const { token } = await staff.enter()
  await staff.call(logout)
  const open = await house.db
    .selectFrom('backoffice_stay')
    .select('id')
    .where('person_id', '=', staff.id)
    .where('ended_at', 'is', null)
    .execute()
  expect(open).toEqual([])
  expect((await staff.call(whoAmI, {}, withToken(token))).status).toBe(401)
})

const forge = async (
  staff: Staff,
  change: { alg?: string; key?: Uint8Array; sub?: string; jti?: string; exp?: number; audience?: string } = {}
) => {
  const { token } = await staff.enter()
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string; exp: number }
  return new SignJWT({ permissions: ['backoffice', 'audit_logs'] })
    .setProtectedHeader({ alg: change.alg ?? 'HS256' })
    .setSubject(change.sub ?? staff.id)
    .setJti(change.jti ?? claims.jti)
    .setAudience(change.audience ?? 'backoffice')
    .setExpirationTime(change.exp ?? claims.exp)
    .sign(change.key ?? (await getSigningKey(house.db, 'backoffice')))
}

test('forged tokens are worth nothing', async () => {
  const staff = await newStaff()
  const other = await newStaff()
  expect((await staff.call(whoAmI, {}, withToken(await forge(staff)))).status).toBe(200)
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await forge(staff)).split('.')[1]}.`
  const forged = [
    await forge(staff, { key: new Uint8Array(32) }),
    await forge(staff, { sub: other.id }),
    await forge(staff, { jti: 'sty_unknown' }),
    await forge(staff, { audience: 'something else' }),
    await forge(staff, { exp: Math.floor(house.clock.now().getTime() / 1000) - 1 }),
    await forge(staff, { alg: 'HS512', key: Buffer.concat([await getSigningKey(house.db, 'backoffice'), Buffer.alloc(32)]) }),
    unsigned,
    'nonsense',
    (await other.enter()).token,
  ]
  for (const token of forged) expect(await staff.call(whoAmI, {}, withToken(token)), token).toMatchObject(refused)
})

test('a token never gives more than its person has today', async () => {
  const staff = await newStaff()
  const { token } = await staff.enter()
  const set = (permissions: string[]) => house.db.updateTable('person').set({ permissions }).where('id', '=', staff.id).execute()
  await set(['backoffice', 'manage_networks'])
  // Known as staff, but not allowed this.
  expect(await staff.call(whoAmI, {}, withToken(token))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  await set(['audit_logs'])
  expect(await staff.call(whoAmI, {}, withToken(token))).toMatchObject(refused)
})

test('the backoffice is out of reach while acting on a team’s account', async () => {
  const staff = await newStaff()
  const owner = await house.newOwner()
  await house.db
    .insertInto('membership')
    .values({ account_id: owner.account_id, person_id: staff.id, permissions: ['assets.view'] })
    .execute()
  const { token } = await staff.enter()
  await staff.call(switchAccount, { body: { team_member_email: owner.email } })
  expect(await staff.call(whoAmI, {}, withToken(token))).toMatchObject(refused)
  expect(await staff.call(enterBackoffice, { body: { password, reason } })).toMatchObject({ status: 403, body: { code: 'acting_on_team' } })
  // The permission is still theirs: the console's guard goes by it (spec §5, step 5).
  expect((await staff.call(getUserInfo)).body).toMatchObject({ permissions: ['backoffice', 'audit_logs'], acting_as: owner.email })
})

test('entering again with the same key answers the same token and opens one stay', async () => {
  const staff = await newStaff()
  const key = { 'idempotency-key': 'enter-1' }
  const [first, second] = [await staff.enter(key), await staff.enter(key)]
  expect(second).toEqual(first)
  expect((await house.events(staff.account_id)).filter(({ name }) => name === 'backoffice.entered')).toHaveLength(1)
  expect(await staff.call(enterBackoffice, { body: { password, reason: 'Another reason' } }, key)).toMatchObject({ status: 409 })
})
