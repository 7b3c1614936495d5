import { afterAll, beforeAll, expect, test } from 'vitest'
import { acknowledgeAlerts, getSummary, listAlerts, readAlerts } from '@masthead/contract/notifications/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newAsset, setBlock } from './test-alerts.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const alertsOf = async (person: Person, query: object) => (await person.call(listAlerts, { query })).body.items

test('all of a list as it was read: what comes later, and what it does not show, stays open', async () => {
  const owner = await house.newOwner()
  for (const name of ['a', 'b', 'c']) await setBlock(house, owner, await newAsset(house, owner, name), 'data_limit', true)
  await house.settle()
  const { at, total } = (await owner.call(listAlerts, { query: { severity: 'warn', own: 'false' } as never })).body
  expect(total).toBe(3)
  house.clock.advance({ minutes: 1 })
  await setBlock(house, owner, await newAsset(house, owner, 'later'), 'data_limit', true)
  await setBlock(house, owner, await newAsset(house, owner, 'worse'), 'imei_mismatch', true)
  await house.settle()
  const acknowledge = async (body: object) => (await owner.call(acknowledgeAlerts, { body })).body.acknowledged
  expect(await acknowledge({ matching: { severity: ['critical'] }, until: at })).toBe(0)
  expect(await acknowledge({ matching: { severity: ['warn'], own: 'false' }, until: at })).toBe(3)
  expect((await alertsOf(owner, { state: 'open' })).map(({ severity }) => severity).toSorted()).toEqual(['critical', 'warn'])
  expect(await acknowledge({ matching: { severity: ['warn'] } })).toBe(1)
  expect((await alertsOf(owner, { state: 'open' })).map(({ severity }) => severity)).toEqual(['critical'])
})

test('all are marked as read as the list was read: what comes later is unread, and so is what happens again', async () => {
  const owner = await house.newOwner()
  const again = await newAsset(house, owner, 'again')
  for (const sim of [again, await newAsset(house, owner, 'once')]) await setBlock(house, owner, sim, 'data_limit', true)
  await house.settle()
  const { at, total } = (await owner.call(listAlerts, {})).body
  expect(total).toBe(2)
  house.clock.advance({ minutes: 1 })
  await setBlock(house, owner, await newAsset(house, owner, 'later'), 'data_limit', true)
  await setBlock(house, owner, again, 'data_limit', true)
  await house.settle()
  const mark = async (body: object) => (await owner.call(readAlerts, { body })).body.changed
  const unread = async () => (await owner.call(getSummary)).body.unread
  expect([await mark({ until: at }), await unread()]).toEqual([1, 2])
  expect([await mark({}), await unread()]).toEqual([2, 0])
  expect([await mark({ read: false, until: at }), await unread()]).toEqual([1, 1])
})
