import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset, updateAsset } from '@masthead/contract/assets/operations'
import {
  addNote,
  getCustomer,
  listAccounts,
  listCustomerAssets,
  resumeAccount,
  stopViewing,
  suspendAccount,
  updateFeatureFlags,
  updateGroups,
  updateStaff,
  viewAccount,
} from '@masthead/contract/backoffice/account-operations'
import { getHome, getStaffAsset, holdSim, listSearchHits, releaseSim } from '@masthead/contract/backoffice/home-operations'
import { exportStaffLog, listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addStock, addTestGateway, enterStaff, type Staff } from '../test-backoffice.ts'

let house: House
let staff: Staff
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const reason = 'Payment is overdue'

test('accounts are found by a part of a name or an e-mail, ordered, page by page', async () => {
  const made = []
  for (const name of ['Zebra Freight', 'Äther', 'zebra crossing']) made.push(await house.newOwner(name))
  const search = async (query: object) => (await staff.call(listAccounts, { query: query as never })).body
  expect((await search({ search: 'ZEBRA' })).items.map((row) => row.team_name)).toEqual(['zebra crossing', 'Zebra Freight'])
  expect((await search({ search: made[1]!.email.slice(2, 12) })).items.map((row) => row.team_name)).toEqual(['Äther'])
  expect((await search({ search: '100%_' })).items).toEqual([])
  const seen: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page: Awaited<ReturnType<typeof search>> = await search({ page_size: '2', sort: '-created_at', ...(after && { after }) })
    seen.push(...page.items.map((row) => row.id))
    after = page.next
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBe((await search({})).total)
})

test('suspending takes the service of every SIM and of new ones, resuming gives it back; both are events', async () => {
  const customer = await house.newOwner('late payer')
  const asset = await addStock(house, customer)
  const params = { email: customer.email }
  expect(await staff.call(suspendAccount, { params, body: { reason: 'x' } })).toMatchObject({
    status: 400,
    body: { fields: { reason: 'Say why' } },
  })
  expect((await staff.call(suspendAccount, { params, body: { reason } })).body).toMatchObject({ suspended_reason: reason })
  await house.settle()
  expect((await customer.call(getAccount)).body.suspended).toBe(true)
  expect((await customer.call(getAsset, { params: { asset_id: asset.asset_id } })).body.sim).toMatchObject({
    state: 'active',
    status: 'blocked',
    blocks: [{ code: 'account_suspended', words: reason, by: 'staff' }],
  })
  expect(await staff.call(suspendAccount, { params, body: { reason } })).toMatchObject({
    status: 409,
    body: { code: 'account_suspended_already' },
  })
  expect((await staff.call(listAccounts, { query: { suspended: 'true' } })).body.items.map((row) => row.email)).toEqual([customer.email])
  await staff.call(resumeAccount, { params, body: { reason: 'Paid' } })
  await house.settle()
  expect((await customer.call(getAsset, { params: { asset_id: asset.asset_id } })).body.sim).toMatchObject({ status: 'active', blocks: [] })
  expect(await staff.call(resumeAccount, { params, body: { reason } })).toMatchObject({
    status: 409,
    body: { code: 'account_not_suspended' },
  })
  const told = (await customer.call(listActivities)).body.items.map(({ sentence, actor }) => [sentence, actor.kind, actor.email])
  expect(told).toEqual([
    ['Resumed the account: Paid', 'staff', staff.email],
    [`Suspended the account: ${reason}`, 'staff', staff.email],
  ])
  const own = (await house.db.selectFrom('person').select('email').where('id', '=', staff.person_id).executeTakeFirstOrThrow()).email
  expect(await staff.call(suspendAccount, { params: { email: own }, body: { reason } })).toMatchObject({
    status: 409,
    body: { code: 'staff_own_account' },
  })
})

test('to look at an account is notified to its people once a stay, with the reason; notes are not', async () => {
  const customer = await house.newOwner('watched')
  const params = { email: customer.email }
  for (let i = 0; i < 3; i++) await staff.call(getCustomer, { params })
  await staff.call(listCustomerAssets, { params })
  await staff.call(addNote, { params, body: { text: 'Ring on Mondays' } })
  expect(await staff.call(addNote, { params, body: { text: ' ' } })).toMatchObject({ status: 400 })
  expect((await house.events(customer.account_id)).map(({ name, detail }) => [name, detail])).toEqual([
    ['backoffice.account_viewed', { reason: staff.reason }],
  ])
  expect((await staff.call(getCustomer, { params })).body.notes).toMatchObject([{ by: staff.email, text: 'Ring on Mondays' }])
  expect(await staff.call(getCustomer, { params: { email: 'nobody@example.test' } })).toMatchObject({ status: 404 })
})

test('a switched feature is seen by the customer, and by the log with before and after', async () => {
  const customer = await house.newOwner('featured')
  const params = { email: customer.email }
  await staff.call(updateFeatureFlags, { params, body: { network_groups: false, reason } })
  await staff.call(updateFeatureFlags, { params, body: { network_groups: false, reason } })
  expect((await customer.call(getAccount)).body.feature_flags).toEqual({ network_groups: false })
  const { items } = (await staff.call(listStaffLog, { query: { account: customer.email } })).body
  expect(items).toMatchObject([
    {
      action: 'backoffice.features_changed',
      sentence: 'Switched off network groups',
      reason,
      result: 'ok',
      staff: staff.email,
      account: customer.email,
      before: { network_groups: true },
      after: { network_groups: false },
      ip: '127.0.0.1',
    },
  ])
})

test('staff see the console of a customer, change nothing, and are seen', async () => {
  const customer = await house.newOwner('looked at')
  const asset = await addStock(house, customer)
  const viewer = await enterStaff(house)
  const params = { email: customer.email }
  const answer = await viewer.call(viewAccount, { params, body: { reason } })
  expect(answer.body).toMatchObject({ email: customer.email })
  expect((await viewer.plain(getAsset, { params: { asset_id: asset.asset_id } })).body.serial).toBe(asset.serial)
  expect((await viewer.plain(getAccount)).body).toMatchObject({ id: customer.account_id, staff_view: true })
  const { acting_as, member_of, permissions } = (await viewer.plain(getUserInfo)).body
  expect([acting_as, permissions.includes('backoffice')]).toEqual([customer.email, true])
  expect(member_of.find((each) => each.email === customer.email)!.permissions).not.toContain('assets.edit')
  for (const refused of [
    await viewer.plain(updateAsset, { params: { asset_id: asset.asset_id }, body: { name: 'Mine' } }),
    await viewer.plain(createTag, { body: { name: 'mine' } }),
  ])
    expect(refused).toMatchObject({ status: 403, body: { code: 'view_only' } })
  // The backoffice is out of reach meanwhile.
  expect(await viewer.call(getHome)).toMatchObject({ status: 403, body: { code: 'backoffice_token_needed' } })
  expect((await house.events(customer.account_id)).map(({ name }) => name)).toEqual(['backoffice.account_entered'])
  expect((await viewer.plain(stopViewing)).body).toEqual({ email: customer.email })
  expect(await viewer.plain(stopViewing)).toMatchObject({ status: 409, body: { code: 'not_viewing' } })
  expect(await viewer.plain(getAsset, { params: { asset_id: asset.asset_id } })).toMatchObject({ status: 404 })
  // The stay ended by it.
  expect(await viewer.call(getHome)).toMatchObject({ status: 403, body: { code: 'backoffice_token_needed' } })
  expect(await staff.call(viewAccount, { params: { email: staff.email }, body: { reason } })).toMatchObject({
    body: { code: 'staff_own_account' },
  })
})

test('a look ends by itself, and with the permission', async () => {
  const customer = await house.newOwner('seen')
  for (const end of ['time', 'permission'] as const) {
    const viewer = await enterStaff(house)
    await viewer.call(viewAccount, { params: { email: customer.email }, body: { reason } })
    expect((await viewer.plain(getAccount)).body.id).toBe(customer.account_id)
    if (end === 'time') house.clock.advance({ minutes: 31 })
    else await house.db.updateTable('person').set({ permissions: [] }).where('id', '=', viewer.person_id).execute()
    expect((await viewer.plain(getAccount)).body.id).toBe(viewer.account_id)
  }
  staff = await enterStaff(house)
})

test('a held SIM has no service until staff lift it', async () => {
  const customer = await house.newOwner('held')
  const asset = await addStock(house, customer)
  const params = { any_asset_id: asset.iccid }
  expect(await staff.call(releaseSim, { params, body: { reason } })).toMatchObject({ status: 409, body: { code: 'sim_not_held' } })
  expect((await staff.call(holdSim, { params, body: { reason } })).body.asset.sim).toMatchObject({
    status: 'blocked',
    blocks: [{ code: 'staff', words: reason }],
  })
  expect(await staff.call(holdSim, { params, body: { reason } })).toMatchObject({ status: 409, body: { code: 'sim_held_already' } })
  expect((await staff.call(releaseSim, { params, body: { reason } })).body.asset.sim).toMatchObject({ status: 'active', blocks: [] })
  expect((await house.events(customer.account_id)).map(({ name }) => name)).toEqual(['assets.sim_blocked', 'assets.sim_unblocked'])
  for (const any_asset_id of [asset.asset_id, asset.serial.toLowerCase(), asset.iccid])
    expect((await staff.call(getStaffAsset, { params: { any_asset_id } })).body).toMatchObject({
      asset: { id: asset.asset_id },
      account: { email: customer.email },
      stock: { imsis: [asset.imsi] },
    })
})

test('the search finds people, assets by every number, stock and gateways', async () => {
  const customer = await house.newOwner('findable')
  const [asset, free] = [await addStock(house, customer), await addStock(house, null)]
  const gateway_id = await addTestGateway(house)
  const { name } = await house.db.selectFrom('gateway').select('name').where('id', '=', gateway_id).executeTakeFirstOrThrow()
  const kinds = async (search: string) =>
    (await staff.call(listSearchHits, { query: { search } })).body.items.map(({ kind, id }) => [kind, id])
  expect(await kinds(customer.email)).toEqual([['person', customer.email]])
  for (const number of [asset.serial, asset.iccid, asset.imsi]) expect(await kinds(number)).toEqual([['asset', asset.asset_id]])
  for (const number of [free.serial, free.iccid, free.imsi]) expect(await kinds(number)).toEqual([['stock', free.serial]])
  expect(await kinds(name)).toContainEqual(['gateway', gateway_id])
  // Nothing is found that they could not open.
  const limited = await enterStaff(house, ['backoffice'])
  expect((await limited.call(listSearchHits, { query: { search: name } })).body.items).toEqual([])
  expect(await staff.call(listSearchHits, { query: { search: 'ab' } })).toMatchObject({ status: 400 })
})

test('the log holds what was refused, cannot be changed, and is exported with a line about that', async () => {
  const customer = await house.newOwner('logged')
  // Ids of one moment come in no order.
  house.clock.advance({ seconds: 1 })
  await staff.call(resumeAccount, { params: { email: customer.email }, body: { reason } })
  const refused = (await staff.call(listStaffLog, { query: { result: 'refused', page_size: '1' } as never })).body.items
  expect(refused).toMatchObject([
    {
      sentence: 'Tried: End the suspension of an account',
      target: customer.email,
      result: 'refused',
      failure: 'The account is not suspended',
      staff: staff.email,
    },
  ])
  await expect(house.db.updateTable('staff_log').set({ reason: 'Another' }).execute()).rejects.toThrow('append-only')
  await expect(house.db.deleteFrom('staff_log').execute()).rejects.toThrow('append-only')
  const text = (await staff.call(exportStaffLog)).text
  expect(text.split('\r\n')[0]).toBe('at,staff,action,sentence,account,asset_id,target,reason,result,failure,ip,request_id,before,after')
  expect(text).toContain('The account is not suspended')
  expect((await staff.call(listStaffLog, { query: { action: ['backoffice.staff_log_exported'] } })).body.total).toBe(1)
})

test('staff are made and unmade by who has the permission themselves, never by themselves, and it is kept', async () => {
  const limited = await enterStaff(house, ['backoffice', 'manage_staff'])
  const customer = await house.newOwner('promoted')
  const params = { email: customer.email }
  const set = (by: Staff, permissions: ('backoffice' | 'audit_logs')[], email = customer.email) =>
    by.call(updateStaff, { params: { email }, body: { permissions, reason } })
  expect(await set(limited, ['backoffice', 'audit_logs'])).toMatchObject({ status: 409, body: { code: 'staff_permission_not_yours' } })
  expect(await set(limited, ['backoffice', 'audit_logs'], limited.email)).toMatchObject({
    status: 409,
    body: { code: 'staff_own_account' },
  })
  expect((await set(staff, ['backoffice', 'audit_logs'])).body.staff_permissions).toEqual(['backoffice', 'audit_logs'])
  expect(await set(limited, [])).toMatchObject({ status: 403, body: { code: 'staff_may_more' } })
  expect((await customer.call(getUserInfo)).body.permissions).toEqual(['backoffice', 'audit_logs'])
  expect((await set(staff, [])).body.staff_permissions).toEqual([])
  expect(
    (await staff.call(listStaffLog, { query: { account: params.email, result: 'ok' } })).body.items
      .map(({ sentence }) => sentence)
      .toSorted()
  ).toEqual([`Granted staff permissions to ${customer.email}`, `Revoked the staff permissions of ${customer.email}`])
})

test('each part needs its own permission beside the token', async () => {
  const plain = await enterStaff(house, ['backoffice'])
  expect((await plain.call(getHome)).status).toBe(200)
  expect(await plain.call(listStaffLog)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  // Without the audit log one sees what one did oneself.
  expect(new Set((await plain.call(getHome)).body.latest.map((entry) => entry.staff))).toEqual(new Set([plain.email]))
})

test('groups are given and taken, seen in the user info, and one event', async () => {
  const customer = await house.newOwner('grouped')
  const params = { email: customer.email }
  const set = (groups: string[]) => staff.call(updateGroups, { params, body: { groups, reason } })
  for (const groups of [
    ['late', 'beta', 'beta'],
    ['beta', 'late'],
  ])
    expect((await set(groups)).body.groups).toEqual(['beta', 'late'])
  expect((await customer.call(getUserInfo)).body.groups).toEqual(['beta', 'late'])
  expect(await set(['No Spaces'])).toMatchObject({
    status: 400,
    body: { fields: { 'groups.0': expect.stringContaining('a-z') as string } },
  })
  expect((await set([])).body.groups).toEqual([])
  const { items } = (await staff.call(listStaffLog, { query: { account: customer.email } })).body
  expect(items.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['backoffice.groups_changed', { groups: ['beta', 'late'] }, { groups: [] }],
    ['backoffice.groups_changed', { groups: [] }, { groups: ['beta', 'late'] }],
  ])
  expect(await staff.call(updateGroups, { params: { email: staff.email }, body: { groups: ['beta'], reason } })).toMatchObject({
    status: 409,
    body: { code: 'staff_own_account' },
  })
})
