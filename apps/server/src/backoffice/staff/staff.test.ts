import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import * as accounts from '@masthead/contract/backoffice/account-operations'
import { loadInventory } from '@masthead/contract/backoffice/operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { staffPermissions, type StaffPermission } from '@masthead/contract/kernel/permission'
import { openHouse, type House } from '@masthead/testkit/house'
import { routes } from '../../routes.ts'
import { backofficeSamples, enterStaff, type Staff } from '../test-backoffice.ts'

const everything = Object.keys(staffPermissions) as StaffPermission[]
const reason = 'A ticket'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
})
afterAll(() => house[Symbol.asyncDispose]())

let boss: Staff
beforeEach(async () => {
  await house.db.updateTable('person').set({ permissions: [] }).execute()
  boss = await enterStaff(house)
})

const set = (by: Staff, email: string, permissions: StaffPermission[]) =>
  by.call(accounts.updateStaff, { params: { email }, body: { permissions, reason } })
const on = (email: string) => ({ params: { email }, body: { reason } })
const of = async ({ email }: { email: string }) =>
  (await house.db.selectFrom('person').select('permissions').where('email', '=', email).executeTakeFirstOrThrow()).permissions
const newStaff = (...permissions: StaffPermission[]) => enterStaff(house, ['backoffice', ...permissions])

describe('staff are managed', () => {
  test('with the permission for it alone: the backoffice makes nobody staff', async () => {
    const clerk = await newStaff('audit_logs', 'manage_networks')
    const customer = await house.newOwner()
    expect(await set(clerk, customer.email, ['backoffice'])).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await set(clerk, boss.email, [])).toMatchObject({ status: 403 })
    expect((await set(boss, customer.email, ['backoffice', 'audit_logs'])).body.staff_permissions).toEqual(['backoffice', 'audit_logs'])
    expect((await set(boss, customer.email, [])).body.staff_permissions).toEqual([])
  })

  test('by nobody whom they may not do more than, and nobody gives what they do not hold', async () => {
    const lead = await newStaff('manage_staff')
    const [clerk, networks] = [await newStaff(), await newStaff('manage_networks')]
    const customer = await house.newOwner()
    expect(await set(lead, customer.email, ['backoffice', 'audit_logs'])).toMatchObject({
      status: 409,
      body: {
        code: 'staff_permission_not_yours',
        detail: 'You can grant only permissions that you have yourself, and not “See the staff audit log”',
      },
    })
    for (const wanted of [[], ['backoffice'], ['backoffice', 'manage_networks', 'manage_staff']] as StaffPermission[][])
      expect(await set(lead, networks.email, wanted)).toMatchObject({
        status: 403,
        body: { code: 'staff_may_more', detail: expect.stringContaining('“Manage networks and gateways”') },
      })
    expect((await set(lead, clerk.email, ['backoffice', 'manage_staff'])).status).toBe(200)
    expect((await set(lead, clerk.email, [])).status).toBe(200)
    expect(await set(boss, boss.email, everything)).toMatchObject({ status: 409, body: { code: 'staff_own_account' } })
  })

  test('and what they hold is what they hold at that moment, whatever their token says', async () => {
    const lead = await newStaff('manage_staff', 'audit_logs')
    const customer = await house.newOwner()
    expect((await set(boss, lead.email, ['backoffice', 'manage_staff'])).status).toBe(200)
    expect(await set(lead, customer.email, ['backoffice', 'audit_logs'])).toMatchObject({ body: { code: 'staff_permission_not_yours' } })
    expect((await lead.call(listStaffLog)).status).toBe(403)
    expect((await set(boss, lead.email, ['backoffice'])).status).toBe(200)
    expect((await set(lead, customer.email, ['backoffice'])).status).toBe(403)
    // Given again, it takes a new token: the old one was asked for with less.
    expect((await lead.call(getUserInfo)).body.permissions).toEqual(['backoffice'])
  })
})

describe('the last one who manages staff', () => {
  test('stays, when two take it from each other at once', async () => {
    for (let i = 0; i < 5; i++) {
      await house.db.updateTable('person').set({ permissions: [] }).execute()
      const [ann, ben] = [await enterStaff(house), await enterStaff(house)]
      const answers = await Promise.all([set(ann, ben.email, []), set(ben, ann.email, ['backoffice'])])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
      expect([...(await of(ann)), ...(await of(ben))].filter((name) => name === 'manage_staff')).toHaveLength(1)
    }
  })

  test('stays, when two suspend each other at once', async () => {
    const ben = await enterStaff(house)
    const answers = await Promise.all([
      boss.call(accounts.suspendAccount, on(ben.email)),
      ben.call(accounts.suspendAccount, on(boss.email)),
    ])
    const { rows } = await sql<{ left: number }>`select count(*) as left from person join account on account.id = person.account_id
      where permissions @> '{manage_staff}' and suspended_at is null`.execute(house.db)
    expect([answers.map(({ status }) => status).toSorted(), rows[0]!.left]).toEqual([[200, 409], 1])
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('last_staff_manager')
  })

  test('is not taken by one whose own account is suspended', async () => {
    const ben = await enterStaff(house)
    expect((await boss.call(accounts.suspendAccount, on(ben.email))).status).toBe(200)
    expect(await set(ben, boss.email, ['backoffice'])).toMatchObject({ status: 409, body: { code: 'last_staff_manager' } })
    expect(await of(boss)).toEqual(everything)
  })
})

/** What every call on an account does where its owner is staff: `guarded` takes manage_staff and all they may; the rest gives nobody a right. */
const onStaff: Record<string, 'guarded' | 'open'> = {
  'backoffice.getCustomer': 'open',
  'backoffice.listCustomerAssets': 'open',
  'backoffice.addNote': 'open',
  'backoffice.updateFeatureFlags': 'guarded',
  'backoffice.updateGroups': 'guarded',
  'backoffice.setTestAllowance': 'guarded',
  'backoffice.setRegistryQuota': 'guarded',
  'backoffice.suspendAccount': 'guarded',
  'backoffice.resumeAccount': 'guarded',
  'backoffice.proveEmail': 'guarded',
  'backoffice.viewAccount': 'guarded',
  'backoffice.updateStaff': 'guarded',
}

describe('the account of somebody who is staff', () => {
  // Money gives nobody a right, and has a permission of its own.
  const calls: Operation[] = routes
    .map(({ op }) => op)
    .filter((op) => op.path.startsWith('/backoffice/') && op.path.includes('{email}') && op.access !== 'manage_billing')

  test('has an answer for every call on an account: one that is added is decided here', () => {
    expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(onStaff).toSorted())
  })

  test.each(calls.map((op) => [op.name, op] as const))('%s', async (name, op) => {
    const target = await newStaff('audit_logs')
    const { account_id } = target
    if (name.endsWith('resumeAccount'))
      await house.db.updateTable('account').set({ suspended_at: new Date(), suspended_reason: 'x' }).where('id', '=', account_id).execute()
    if (name.endsWith('proveEmail'))
      await house.db
        .updateTable('person')
        .set({ email_proven_at: null, email_proven_by: null })
        .where('account_id', '=', account_id)
        .execute()
    const input = { ...backofficeSamples[name]!({ backoffice: { customer: target.email } } as never) } as never
    const status = async (by: Staff) => (await by.call(op, input)).status
    const before = await of(target)
    const [clerk, more, lead] = [await newStaff(), await newStaff('audit_logs', 'manage_networks'), await newStaff('manage_staff')]
    const refused = onStaff[name] === 'guarded' ? 403 : 200
    expect([await status(clerk), await status(more), await status(lead)]).toEqual([refused, refused, refused])
    expect(await of(target)).toEqual(before)
    expect(await status(await newStaff('manage_staff', 'audit_logs'))).toBe(200)
    if (isWrite(op) && name !== 'backoffice.addNote') expect(await house.events(account_id)).not.toEqual([])
  })

  test('is looked at no longer than one might begin to', async () => {
    const lead = await newStaff('manage_staff')
    const customer = await house.newOwner()
    expect((await lead.call(accounts.viewAccount, on(customer.email))).status).toBe(200)
    expect((await lead.plain(getAccount)).body.id).toBe(customer.account_id)
    expect((await set(boss, customer.email, ['backoffice', 'audit_logs'])).status).toBe(200)
    expect((await lead.plain(getAccount)).body.id).toBe(lead.account_id)
  })
})

test('an old installation: whoever held everything there was manages staff from the migration on', async () => {
  const old = ['backoffice', 'audit_logs', 'manage_networks', 'manage_datapools']
  const migration = readFileSync(new URL('../../../db/migrations/0025-manage-staff.sql', import.meta.url), 'utf8')
  const [update] = /^update person[^;]*;/m.exec(migration)!
  const [all, some, none] = [
    await house.newOwner('all', { staff: old }),
    await house.newOwner('some', { staff: old.slice(1) }),
    await house.newOwner(),
  ]
  for (let i = 0; i < 2; i++) await sql.raw(update).execute(house.db)
  expect([await of(all), await of(some), await of(none), await of(boss)]).toEqual([[...old, 'manage_staff'], old.slice(1), [], everything])
})

test('a right that is taken away ends a file that is being sent, and what was done of it stays', async () => {
  const clerk = await newStaff()
  const address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  const loaded = async () => (await house.db.selectFrom('inventory').select('serial').where('serial', 'like', 'SENT-%').execute()).length
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => `core,SENT-${from + n},,,,,\n`).join('')
  const headers = { cookie: clerk.cookie, 'x-backoffice-token': clerk.token, 'content-type': 'text/csv' }
  const sending = request(`${address}/v1${loadInventory.path}`, { method: 'POST', headers })
  const answer = new Promise<number | undefined>((resolve) => sending.once('response', ({ statusCode }) => resolve(statusCode)))
  sending.on('error', () => {}) // it is answered before it is read to its end
  sending.write('type,serial,iccid,imsi,msisdn,eid,imei\n' + rows(0, 6000))
  await expect.poll(loaded, { timeout: 10_000 }).toBe(5000)
  expect((await set(boss, clerk.email, [])).status).toBe(200)
  sending.end(rows(6000, 4000))
  expect(await answer).toBe(403)
  expect(await loaded()).toBe(5000)
})
