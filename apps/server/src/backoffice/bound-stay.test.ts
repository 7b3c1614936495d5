import { afterAll, beforeAll, expect, test } from 'vitest'
import { logout, switchAccount } from '@masthead/contract/auth/operations'
import { enterBackoffice } from '@masthead/contract/backoffice/access-operations'
import { listAccounts } from '@masthead/contract/backoffice/account-operations'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { listQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { listStock } from '@masthead/contract/backoffice/stock-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { closeSessionNamed } from '../auth/sessions/session.ts'
import { enterStaff } from './test-backoffice.ts'

// A staff token is half of what one needs: the session it was made in is the other half.

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const refused = { status: 403, body: { code: 'backoffice_token_needed' } }
const withToken = (token: string) => ({ 'x-backoffice-token': token })
const refusals = async (email: string) => {
  const rows = await house.db
    .selectFrom('staff_log')
    .select(['detail', 'failure', 'ip', 'result'])
    .where('action', '=', 'backoffice.token_refused')
    .where('staff_email', '=', email)
    .orderBy('id')
    .execute()
  expect(rows.every(({ ip, failure, result }) => ip !== null && failure !== null && result === 'refused')).toBe(true)
  return rows.map(({ detail }) => detail.why)
}

test('a token counts in the session it was made in, and in no other of the same person', async () => {
  const staff = await enterStaff(house)
  const elsewhere = await house.newVisit(staff)
  expect((await staff.call(getHome)).status).toBe(200)
  expect(await elsewhere.call(getHome, {}, withToken(staff.token))).toMatchObject(refused)
  expect(await refusals(staff.email)).toEqual(['another_session'])
})

test('it ends with its session, however that ends', async () => {
  const staff = await enterStaff(house)
  const row = await house.db.selectFrom('backoffice_stay').selectAll().where('person_id', '=', staff.person_id).executeTakeFirstOrThrow()
  const other = await house.newVisit(staff)
  await house.db.transaction().execute((tx) => closeSessionNamed(tx, staff.person_id, row.session_id!))
  expect(await other.call(getHome, {}, withToken(staff.token))).toMatchObject(refused)
  expect((await staff.call(getHome)).status).toBe(401)
})

test('after signing out it is worth nothing, also in a session opened since', async () => {
  const staff = await enterStaff(house)
  await staff.plain(logout)
  const again = await house.newVisit(staff)
  expect(await again.call(getHome, {}, withToken(staff.token))).toMatchObject(refused)
  expect(await refusals(staff.email)).toEqual(['ended'])
})

test('leaving and signing out leave the stay on another device alone', async () => {
  const staff = await enterStaff(house)
  const elsewhere = await house.newVisit(staff)
  const body = { password: staff.password, reason: 'The same work on a tablet' }
  const { token } = (await elsewhere.call(enterBackoffice, { body })).body
  expect((await staff.call(leaveBackoffice)).status).toBe(200)
  expect(await staff.call(getHome)).toMatchObject(refused)
  expect((await elsewhere.call(getHome, {}, withToken(token))).status).toBe(200)
  expect((await staff.plain(logout)).status).toBe(200)
  expect((await elsewhere.call(getHome, {}, withToken(token))).status).toBe(200)
})

test('refused tokens are kept with their address, and cannot fill the log', async () => {
  const staff = await enterStaff(house)
  const customer = await house.newOwner()
  for (let i = 0; i < 5; i++) {
    expect(await staff.plain(getHome, {}, withToken('nonsense'))).toMatchObject(refused)
    expect(await customer.call(getHome, {}, withToken(staff.token))).toMatchObject(refused)
  }
  house.clock.advance({ minutes: 31 })
  expect(await staff.call(getHome)).toMatchObject(refused)
  expect(await refusals(staff.email)).toEqual(['forged', 'expired'])
  expect(await refusals(customer.email)).toEqual(['another_person'])
  // Many people at once are bounded together.
  const before = (await house.db.selectFrom('staff_log').select('id').where('action', '=', 'backoffice.token_refused').execute()).length
  const row = await house.db.selectFrom('staff_log').selectAll().where('action', '=', 'backoffice.token_refused').executeTakeFirstOrThrow()
  const at = house.clock.now()
  const json = { detail: '{}', before: null, after: null }
  await house.db
    .insertInto('staff_log')
    .values(Array.from({ length: 200 }, (_, i) => ({ ...row, ...json, id: `aud_${i}`, person_id: `per_${i}`, at })))
    .execute()
  await (await house.newOwner()).call(getHome, {}, withToken('nonsense'))
  const after = (await house.db.selectFrom('staff_log').select('id').where('action', '=', 'backoffice.token_refused').execute()).length
  expect(after - before).toBe(200)
})

test('acting on a team with a token in hand changes and shows nothing of the backoffice', async () => {
  const staff = await enterStaff(house)
  const owner = await house.newOwner()
  await house.db
    .insertInto('membership')
    .values({ account_id: owner.account_id, person_id: staff.person_id, permissions: ['assets.view'] })
    .execute()
  const switched = await staff.plain(switchAccount, { body: { team_member_email: owner.email } })
  const cookie = String(switched.headers['set-cookie']).split(';')[0]!
  expect(await staff.call(getHome, {}, { cookie })).toMatchObject(refused)
})

test('lists over all customers are kept in the log, once in a stay, with what was looked for', async () => {
  const staff = await enterStaff(house)
  for (const query of [{}, {}, { search: 'acme' }, { page: '2' }])
    expect((await staff.call(listAccounts, { query: query as never })).status).toBe(200)
  await staff.call(listStock, { query: { search: '8949' } })
  await staff.call(listQuarantine, { query: {} })
  const { items } = (await staff.call(listStaffLog, { query: { staff: staff.email, page_size: 50 } as never })).body
  expect(items.filter(({ action }) => action === 'backoffice.list_viewed').map(({ sentence, reason }) => [sentence, reason])).toEqual(
    [
      'Looked at the list of unmatched usage',
      'Looked for 8949 in the list of stock',
      'Looked for acme in the list of accounts',
      'Looked at the list of accounts',
    ].map((sentence) => [sentence, staff.reason])
  )
})
