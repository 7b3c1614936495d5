import { putDevice } from '../../devices/test-device.ts'
import { putPackage, putPool } from '../../datapools/test-pools.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCustomer } from '@masthead/contract/backoffice/account-operations'
import { isWrite, type Operation } from '@masthead/contract/kernel/operation'
import { isStaffPermission, type StaffPermission } from '@masthead/contract/kernel/permission'
import { openHouse, type House } from '@masthead/testkit/house'
import { enrolDevice } from '../../devices/index.ts'
import { routes } from '../../routes.ts'
import { addCorrection, addUsedDay } from '../corrections/test-corrections.ts'
import { addQuarantined, addStock, addTestGateway, enterStaff, type Staff } from '../test-backoffice.ts'

const reason = 'A ticket'
let house: House
beforeAll(async () => {
  house = await openHouse({ config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } } })
  // Who is alone may do it to their own account.
  await enterStaff(house, ['backoffice'])
})
afterAll(() => house[Symbol.asyncDispose]())

const join = ({ db }: House, { person_id }: Staff, { account_id }: Pick<Staff, 'account_id'>) =>
  db.insertInto('membership').values({ account_id, person_id, permissions: [] }).execute()

type Owner = Pick<Staff, 'email' | 'account_id'>
type Input = { params?: Record<string, string>; query?: Record<string, string>; body: unknown }

/** What staff do to what an account has, made so that it would be done: nobody does it to their own, or to those who may more as staff. */
const toTheirThings: Record<string, (owner: Owner) => Promise<Input>> = {
  'backoffice.holdSim': async (owner) => ({ params: { any_asset_id: (await addStock(house, owner)).serial }, body: { reason } }),
  'backoffice.cutBrokerClient': async (owner) => {
    const { account_id } = owner
    const { asset_id } = await addStock(house, owner)
    const enrolled = { account_id, asset_id, kind: 'agent' as const, at: house.clock.now() }
    const { device_id } = await house.db.transaction().execute((tx) => enrolDevice(tx, enrolled))
    return { params: { any_device_id: device_id }, body: { reason } }
  },
  'backoffice.releaseSim': async (owner) => {
    const { serial, sim_id } = await addStock(house, owner)
    const held = [{ code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Held', clears: 'Never' }]
    await house.db
      .updateTable('sim')
      .set({ blocks: JSON.stringify(held) })
      .where('id', '=', sim_id)
      .execute()
    return { params: { any_asset_id: serial }, body: { reason } }
  },
  'backoffice.correctUsage': async (owner) => {
    const { serial, ...asset } = await addStock(house, owner)
    const day = await addUsedDay(house, { ...owner, ...asset })
    return { params: { any_asset_id: serial }, body: { day, bytes_up: -1000, bytes_down: 0, reason } }
  },
  'backoffice.undoCorrection': async (owner) => {
    const { serial, ...asset } = await addStock(house, owner)
    const { correction_id } = await addCorrection(house, { ...owner, ...asset })
    return { params: { any_asset_id: serial, correction_id }, body: { reason } }
  },
  'backoffice.askSupport': async (owner) => {
    const { asset_id } = await putDevice(house, owner)
    await house.db
      .updateTable('device')
      .set({ last_birth_at: house.clock.now() } as never)
      .where('asset_id', '=', asset_id)
      .execute()
    return { params: { any_asset_id: asset_id }, body: { reason, minutes: 60 } }
  },
  'backoffice.assignStock': async ({ email }) => ({ body: { serials: [(await addStock(house, null)).serial], account: email, reason } }),
  'backoffice.transferStock': async (owner) => ({
    params: { serial: (await addStock(house, owner)).serial },
    body: { account: (await house.newOwner()).email, reason },
  }),
  'backoffice.loadInventory': async ({ email }) => ({
    query: { account: email },
    body: `type,serial\nplastic_sim,OWN-${house.clock.now().getTime()}-${Math.random()}\n`,
  }),
  'backoffice.openPool': async ({ email }) => ({ body: { account: email, package_id: await putPackage(house), reason } }),
  'backoffice.growPool': async (owner) => ({ params: { any_pool_id: await putPool(house, owner) }, body: { bytes: 1_000_000, reason } }),
  'backoffice.endPool': async (owner) => ({ params: { any_pool_id: await putPool(house, owner) }, body: { reason } }),
  'backoffice.matchQuarantine': async (owner) => ({
    params: { quarantine_id: await addQuarantined(house, await addTestGateway(house)) },
    body: { sim: (await addStock(house, owner)).iccid, reason },
  }),
  'backoffice.discardQuarantine': async (owner) => {
    const { sim_id, asset_id, imsi } = await addStock(house, owner)
    const { account_id } = owner
    const [at, gateway_id] = [house.clock.now(), await addTestGateway(house)]
    const quarantine_id = await addQuarantined(house, gateway_id, { imsi })
    const session = { account_id, id: `ses_of_${quarantine_id}` }
    const told = { gateway_id, nas: 'pgw', acct_session_id: quarantine_id, started_at: at, updated_at: at, heard_at: at }
    await house.db
      .insertInto('data_session')
      .values({ ...session, sim_id, asset_id, ...told })
      .execute()
    const uncounted = { kind: 'uncounted' as const, account_id, session_id: session.id }
    await house.db.updateTable('quarantine').set(uncounted).where('id', '=', quarantine_id).execute()
    return { params: { quarantine_id }, body: { reason } }
  },
}

/** Of accounts themselves see staff.test.ts; these concern no account, or staff alone. */
const toNobody = `enterBackoffice leaveBackoffice stopViewing addGateway updateGateway addGatewayAddress updateGatewayAddress
  rotateGatewaySecret removeGatewayAddress joinGateways removeGateway updateOperator setOperatorRate importNetworks createPackage retirePackage
  addFeed updateFeed rotateFeedKey uploadFeedFile createTariff addTariffVersion withdrawTariffVersion checkLedger leaveSupport openSupportTerminal
  createCoupon endCoupon loadAdvisories previewTariffVersion`.split(/\s+/)

const writes: Operation[] = routes.map(({ op }) => op).filter((op) => op.name.startsWith('backoffice.') && isWrite(op))

test('every write of the backoffice is decided here: one that is added, too', () => {
  const others = writes.filter(({ path }) => !path.includes('{email}')).map(({ name }) => name)
  expect(others.toSorted()).toEqual([...Object.keys(toTheirThings), ...toNobody.map((name) => `backoffice.${name}`)].toSorted())
})

test.each(Object.keys(toTheirThings))('%s is for others than the owner, and who may more as staff', async (name) => {
  const op = writes.find((one) => one.name === name)!
  const newStaff = (...more: StaffPermission[]) => {
    const needed = isStaffPermission(op.access) ? [op.access] : []
    return enterStaff(house, [...new Set(['backoffice' as const, ...needed, ...more])])
  }
  const owner = await newStaff('audit_logs')
  const input = (await toTheirThings[name]!(owner)) as never
  const headers: Record<string, string> = name === 'backoffice.loadInventory' ? { 'content-type': 'text/csv' } : {}
  const answer = async (by: Staff) => {
    const { status, body } = await by.call(op, input, headers)
    return [status, (body as { code?: string }).code]
  }
  const before = (await house.events(owner.account_id)).length
  const mayMore = [403, 'staff_may_more']
  expect(await answer(owner)).toEqual([409, 'staff_own_account'])
  expect(await answer(await newStaff('audit_logs'))).toEqual(mayMore)
  expect(await answer(await newStaff('manage_staff'))).toEqual(mayMore)
  const member = await newStaff('manage_staff', 'audit_logs')
  await join(house, member, owner)
  expect(await answer(member)).toEqual([409, 'staff_own_account'])
  expect(await house.events(owner.account_id)).toHaveLength(before)
  expect(await answer(await newStaff('manage_staff', 'audit_logs'))).toEqual([200, undefined])
})

test('nobody gives credits to an account that they are a member of, while somebody is staff who is not', async () => {
  await using few = await openHouse()
  const [member, other] = [await enterStaff(few, ['backoffice', 'manage_billing']), await enterStaff(few, ['backoffice', 'manage_billing'])]
  const { email, account_id } = await few.newOwner()
  await join(few, member, { account_id })
  const turnOn = { params: { email }, body: { currency: 'USD', reason } } as never
  const give = { params: { email }, body: { amount_micros: 5_000_000, reason, expires_at: null } } as never
  const op = (name: string) => writes.find((one) => one.name === `backoffice.${name}`)!
  // What disables the buttons.
  const isForOthers = async (staff: Staff) => (await staff.call(getCustomer, { params: { email } })).body.for_others
  expect([await isForOthers(member), await isForOthers(other)]).toEqual([true, false])
  expect((await other.call(op('switchBillingOn'), turnOn)).status).toBe(200)
  expect(await member.call(op('giveCredit'), give)).toMatchObject({
    status: 409,
    body: { code: 'staff_own_account', detail: 'You are a member of this account: another member of staff has to do this' },
  })
  expect((await other.call(op('giveCredit'), give)).status).toBe(200)
  await join(few, other, { account_id })
  expect([await isForOthers(member), await isForOthers(other)]).toEqual([false, false])
  expect((await member.call(op('giveCredit'), give)).status).toBe(200)
})

test('whoever is the only one of staff does it to their own account, too', async () => {
  await using alone = await openHouse()
  const me = await enterStaff(alone, ['backoffice', 'manage_usage'])
  const op = (name: string) => writes.find((one) => one.name === `backoffice.${name}`)!
  const load = { query: { account: me.email }, body: 'type,serial\nplastic_sim,MINE-1\n' } as never
  const loaded = await me.call(op('loadInventory'), load, { 'content-type': 'text/csv' })
  expect([loaded.status, loaded.body]).toMatchObject([200, { loaded: 1 }])
  const { serial } = await addStock(alone, me)
  const hold = () => me.call(op('holdSim'), { params: { any_asset_id: serial }, body: { reason } } as never)
  expect((await hold()).status).toBe(200)
  const again = await addStock(alone, me)
  await enterStaff(alone, ['backoffice'])
  const refused = await me.call(op('holdSim'), { params: { any_asset_id: again.serial }, body: { reason } } as never)
  expect(refused).toMatchObject({ status: 409, body: { code: 'staff_own_account' } })
})

test('nobody takes an asset from a customer for themselves, or gives it to staff who may more', async () => {
  const op = writes.find(({ name }) => name === 'backoffice.transferStock')!
  const staff = await enterStaff(house, ['backoffice'])
  const more = await enterStaff(house, ['backoffice', 'audit_logs'])
  const { serial } = await addStock(house, await house.newOwner())
  const move = (account: string) => staff.call(op, { params: { serial }, body: { account, reason } } as never)
  expect(await move(staff.email)).toMatchObject({ status: 409, body: { code: 'staff_own_account' } })
  expect(await move(more.email)).toMatchObject({ status: 403, body: { code: 'staff_may_more' } })
})
