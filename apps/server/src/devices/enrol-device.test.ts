import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolDevice as enrolOp } from '@masthead/contract/devices/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putAsset } from '../assets/test-stock.ts'
import { hashToken } from './credentials.ts'
import { cutDevice, enrolDevice, findCoreToken, sendDirective } from './index.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

let made = 0
const putWeir = (owner: Person) => {
  const number = String(++made).padStart(6, '0')
  return putAsset(house, owner, { serial: `CO-${number}`, iccid: `8931080000001${number}`, imsi: `204080001${number}`, state: 'active' })
}
const row = (id: string) => house.db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirst()

test('a CORE device signs in with its token, which is kept encrypted; new credentials replace it and keep the device', async () => {
  const owner = await house.newOwner()
  const { id: asset_id } = await putWeir(owner)
  const { account_id } = owner
  const enrol = (kind: 'core' | 'agent') =>
    house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind, at: house.clock.now() }))
  const first = await enrol('core')
  expect(first.username).toMatch(/^[\w-]{32}$/)
  expect(first.password).toBe('sixfab')
  expect(await findCoreToken(house.app.db, account_id, asset_id)).toBe(first.username)
  expect(JSON.stringify(await row(first.device_id))).not.toContain(first.username)
  const second = await enrol('core')
  expect(second.device_id).toBe(first.device_id)
  expect(second.username).not.toBe(first.username)
  const agent = await enrol('agent')
  expect(agent).toMatchObject({ device_id: first.device_id, username: first.device_id })
  expect(await row(agent.device_id)).toMatchObject({ sealed_token: null, password_hash: hashToken(agent.password) })
  expect(await findCoreToken(house.app.db, account_id, asset_id)).toBeUndefined()
})

test('a token is for CORE devices: others are set up by a claim code', async () => {
  const owner = await house.newOwner()
  const { id: asset_id } = await putWeir(owner)
  const typed = (type: 'core' | 'alpon_x4') =>
    house.db.updateTable('asset').set({ type }).where('account_id', '=', owner.account_id).where('id', '=', asset_id).execute()
  await typed('core')
  expect(await owner.call(enrolOp, { params: { asset_id } })).toMatchObject({ status: 200, body: { password: 'sixfab' } })
  await typed('alpon_x4')
  expect(await owner.call(enrolOp, { params: { asset_id } })).toMatchObject({ status: 409, body: { code: 'core_device_only' } })
})

test('a device that was cut has its credentials no more until it gets others, and what waits for it goes with its asset', async () => {
  const owner = await house.newOwner()
  const { account_id } = owner
  const { id: asset_id } = await putWeir(owner)
  const at = house.clock.now()
  const enrol = () => house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'core', at }))
  const { device_id } = await enrol()
  await house.db.transaction().execute(async (tx) => {
    await sendDirective(tx, { account_id, device_id, payload: { command: 'ack', data: 'ab12' }, at })
    await cutDevice(tx, { account_id, device_id, by: 'staff@example.test', at })
  })
  expect(await row(device_id)).toMatchObject({ cut_at: at, cut_by: 'staff@example.test' })
  const waiting = () => house.db.selectFrom('device_directive').selectAll().where('device_id', '=', device_id).execute()
  expect(await waiting()).toHaveLength(1)
  await enrol()
  expect(await row(device_id)).toMatchObject({ cut_at: null, cut_by: null })
  // It was meant for the device of before.
  expect(await waiting()).toEqual([])
  await house.db.transaction().execute((tx) => sendDirective(tx, { account_id, device_id, payload: { command: 'ack', data: 'ab12' }, at }))
  await house.db.deleteFrom('asset').where('id', '=', asset_id).execute()
  expect(await row(device_id)).toBeUndefined()
  expect(await waiting()).toEqual([])
})
