import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { claimDevice, getDesiredState } from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'

let house: House
let ada: Person
let bob: Person
beforeAll(async () => {
  house = await openHouse({ config: { trustProxy: 1 } })
  ada = await house.newOwner()
  bob = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

const claim = (code: string, address = '203.0.113.1', more: Record<string, string> = {}) =>
  house.anyone.call(claimDevice, { body: { code } }, { 'x-forwarded-for': address, ...more })
const newCode = async (of = ada) => {
  const { id: asset_id, serial } = await addAsset(house, of)
  const { body } = await of.call(ops.makeClaimCode, { params: { asset_id } })
  return { asset_id, serial, code: body.code }
}
const devicesOf = (asset_id: string) =>
  house.db.selectFrom('device').select(['id', 'account_id']).where('asset_id', '=', asset_id).execute()

test('whoever guesses is stopped after a hundred wrong codes, also with a right one then; others are not, and devices that are set up do not count', async () => {
  const { code, asset_id } = await newCode()
  const guesser = '198.51.100.7'
  for (let i = 0; i < 20; i++) {
    const { code: good } = await newCode()
    expect((await claim(good, guesser)).status).toBe(200)
  }
  const answers = []
  for (let i = 0; i < 110; i++) answers.push((await claim(`AAAA-BBBB-${String(i).padStart(4, '0')}`, guesser)).status)
  expect(answers.filter((status) => status === 404)).toHaveLength(100)
  expect(answers.slice(100)).toEqual(Array.from({ length: 10 }, () => 429))
  const refused = await claim(code, guesser)
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect(await devicesOf(asset_id)).toEqual([])
  expect((await claim(code, '198.51.100.8')).status).toBe(200)
  house.clock.advance({ minutes: 11 })
  expect((await claim((await newCode()).code, guesser)).status).toBe(200)
})

test('a hundred guesses at once are no more than a hundred one by one; an IPv6 household is one address', async () => {
  const all = await Promise.all(
    Array.from({ length: 130 }, (_, i) => claim(`CCCC-DDDD-${String(i).padStart(4, '0')}`, `2001:db8:1:2::${i + 1}`))
  )
  expect(all.filter(({ status }) => status === 404)).toHaveLength(100)
  expect(all.filter(({ status }) => status === 429)).toHaveLength(30)
})

test('it is good until it expires, to the second', async () => {
  const { code } = await newCode()
  house.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
  expect((await claim(code)).status).toBe(200)
  const late = await newCode()
  house.clock.advance({ hours: 24 })
  expect(await claim(late.code)).toMatchObject({ status: 404, body: { code: 'claim_code_unknown' } })
  expect(await devicesOf(late.asset_id)).toEqual([])
})

test('used by many at once it sets one device up', async () => {
  const { code, asset_id } = await newCode()
  const all = await Promise.all(Array.from({ length: 12 }, (_, i) => claim(code, `203.0.113.${i + 20}`)))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 404)])
  expect(await devicesOf(asset_id)).toHaveLength(1)
  const { body } = all.find(({ status }) => status === 200)!
  const desired = await house.anyone.call(getDesiredState, {}, { 'x-device-key': `${body.device_id}:${body.token}` })
  expect(desired.status).toBe(200)
})

test('it is made for assets of the own account alone, and whoever uses it gets into no other', async () => {
  const { asset_id, code } = await newCode()
  expect((await bob.call(ops.makeClaimCode, { params: { asset_id } })).status).toBe(404)
  // The session of somebody else who holds the code changes nothing: the device is that of the code.
  const used = await claim(code, '203.0.113.60', { cookie: bob.cookie })
  expect(used.status).toBe(200)
  expect(await devicesOf(asset_id)).toEqual([{ id: used.body.device_id, account_id: ada.account_id }])
  const other = await newCode(bob)
  const theirs = await claim(other.code)
  for (const key of [
    `${used.body.device_id}:${theirs.body.token}`,
    `${theirs.body.device_id}:${used.body.token}`,
    `${used.body.device_id}:`,
    ':',
    'x',
  ])
    expect((await house.anyone.call(getDesiredState, {}, { 'x-device-key': key })).status).toBe(403)
  expect((await bob.call(ops.getAgent, { params: { asset_id } })).status).toBe(404)
  expect((await bob.call(ops.updateAgent, { params: { asset_id } })).status).toBe(404)
})

test('one that was replaced, or whose asset was released, is worth nothing; neither is part of one', async () => {
  const { asset_id, serial, code } = await newCode()
  const { body: newer } = await ada.call(ops.makeClaimCode, { params: { asset_id } })
  expect((await claim(code)).status).toBe(404)
  for (const part of ['', newer.code.slice(0, -1), `${newer.code}0`, `${newer.code}' or '1'='1`])
    expect((await claim(part)).status, part).not.toBe(200)
  expect(await ada.call(releaseAsset, { params: { asset_id }, body: { to: null, serial } })).toMatchObject({ status: 200 })
  expect((await claim(newer.code)).status).toBe(404)
  expect(await devicesOf(asset_id)).toEqual([])
})

test('that of a suspended account sets nothing up and is no wrong one, and is good again once the account is', async () => {
  const cleo = await house.newOwner()
  const { asset_id, code } = await newCode(cleo)
  const suspend = (suspended_at: Date | null) =>
    house.db.updateTable('account').set({ suspended_at }).where('id', '=', cleo.account_id).execute()
  const address = '203.0.113.70'
  await suspend(house.clock.now())
  for (let i = 0; i < 101; i++) expect(await claim(code, address)).toMatchObject({ status: 409, body: { code: 'claim_suspended' } })
  expect(await devicesOf(asset_id)).toEqual([])
  await suspend(null)
  expect((await claim(code, address)).status).toBe(200)
})
