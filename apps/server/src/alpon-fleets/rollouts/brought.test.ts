import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addFleetAssets, listFleetAssets, removeFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import { restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { goOnline, newDevice, openBrokerHouse, type BrokerHouse } from '../../devices/test-broker.ts'
import { putDevice } from '../test-fleet.ts'
import { wakeRollouts } from './advance-rollout.ts'
import { rolloutCalls } from './test-rollouts.ts'

let house: BrokerHouse
let ada: Person
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const { check, fleetOf, says, publish, start, last, devicesOf, control } = rolloutCalls(
  () => house,
  () => ada
)

/** A fleet of two devices whose rollout has finished. */
async function finishedFleet() {
  const { fleet_id, assets } = await fleetOf(2)
  await publish(fleet_id)
  await start(fleet_id, { phases: [100] })
  await check()
  for (const asset_id of assets) await says(asset_id)
  await check()
  return fleet_id
}

test('whoever joins a fleet whose rollout has finished gets its version once they are there, in the name of who added or restored them', async () => {
  const fleet_id = await finishedFleet()
  const finished = await last(fleet_id)
  expect(finished).toMatchObject({ state: 'finished', phases: [{ success: 2 }] })

  const device = await newDevice(house, ada, 'agent')
  const { asset_id } = device
  await house.db.updateTable('asset').set({ type: 'alpon_x4' }).where('id', '=', asset_id).execute()
  const [adds, restores] = await Promise.all(
    [1, 2].map(() => house.newMember(ada, ['assets.view', 'alpon_fleets.view', 'alpon_fleets.edit']))
  )
  expect((await adds!.call(addFleetAssets, { params: { fleet_id }, body: { assets: [asset_id] } })).body).toMatchObject({ added: 1 })
  const jobs = async () =>
    (await sql`select from graphile_worker._private_jobs where key = ${`rollout:${finished.id}`}`.execute(house.db)).rows.length
  await check()
  const waits = { id: finished.id, state: 'finished', finished_at: finished.finished_at, phases: [{ success: 2, pending: 1, offline: 1 }] }
  // While it is away nobody looks for it.
  expect([await last(fleet_id), await jobs()]).toMatchObject([waits, 0])
  await wakeRollouts(house.app)
  expect(await jobs()).toBe(0)

  const standing = async () => (await devicesOf(fleet_id, finished.id)).find((each) => each.asset_id === asset_id)!.state
  const changedBy = async () =>
    (await house.db.selectFrom('container').select('changed_by').where('asset_id', '=', asset_id).executeTakeFirstOrThrow()).changed_by
  const { client } = await goOnline(house, device, { seq: 0, ts: 1, fresh: true })
  await expect.poll(jobs, { timeout: 20_000 }).toBe(1)
  await check()
  expect([await standing(), await changedBy(), (await last(fleet_id)).state]).toEqual(['started', adds!.email, 'finished'])
  await says(asset_id)
  await check()
  expect([await standing(), await last(fleet_id)]).toMatchObject([
    'success',
    { state: 'finished', finished_at: finished.finished_at, phases: [{ success: 3 }] },
  ])
  expect(await jobs()).toBe(0)
  const names = (await house.events(ada.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name === 'alpon_fleets.rollout_finished')).toHaveLength(1)

  await sql`update container set image = 'acme/relay:9' where asset_id = ${asset_id}`.execute(house.db)
  expect((await restores!.call(restoreFleetAsset, { params: { fleet_id, asset_id } })).status).toBe(200)
  await check()
  expect([await standing(), await changedBy()]).toEqual(['started', restores!.email])
  await client.endAsync()
}, 90_000)

test('a rollout whose last devices are away goes on at once when one of them connects', async () => {
  const { fleet_id, pilot } = await fleetOf(1)
  await publish(fleet_id)
  const device = await newDevice(house, ada, 'agent')
  await house.db.updateTable('asset').set({ type: 'alpon_x4' }).where('id', '=', device.asset_id).execute()
  await ada.call(addFleetAssets, { params: { fleet_id }, body: { assets: [device.asset_id] } })
  // Far from the next full minute.
  house.clock.set(new Date(Math.ceil(house.clock.now().getTime() / 60_000) * 60_000))
  const { body: rollout } = await start(fleet_id, { phases: [100] })
  await check()
  await says(pilot)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{ success: 1, pending: 1, offline: 1 }] })
  const due = async () =>
    (await sql`select from graphile_worker._private_jobs where key = ${`rollout:${rollout.id}`} and run_at <= now()`.execute(house.db)).rows
      .length
  expect(await due()).toBe(0)
  const { client } = await goOnline(house, device, { seq: 0, ts: 1, fresh: true })
  await expect.poll(due, { timeout: 10_000 }).toBe(1)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{ success: 1, started: 1 }] })
  await client.endAsync()
}, 60_000)

test('a device that fails after it joined the fleet of a finished rollout is an alert for who may see fleets', async () => {
  const fleet_id = await finishedFleet()
  const { id: asset_id } = await addAsset(house, ada)
  await putDevice(house, { account_id: ada.account_id, asset_id })
  await ada.call(addFleetAssets, { params: { fleet_id }, body: { assets: [asset_id] } })
  await check()
  await says(asset_id, 'it ends at once')
  await check()
  await house.settle()
  const alertsOf = async (person: Person) =>
    (await person.call(listAlerts)).body.items.filter(({ link }) => link === `/alpon-fleets/${fleet_id}`)
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 2, failure: 1 }] })
  const raised = { title: 'Version 1 could not be brought to 1 device of Depots', severity: 'warn', state: 'open' }
  expect(await alertsOf(await house.newMember(ada, ['notifications.view', 'alpon_fleets.view']))).toMatchObject([raised])
  expect(await alertsOf(await house.newMember(ada, ['notifications.view', 'assets.view']))).toEqual([])
}, 60_000)

test('a device that failed and has left the fleet since halts nothing for those that are in it', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(5)
  await publish(fleet_id)
  await start(fleet_id, { phases: [20, 100], most_failed_percent: 40 })
  await check()
  await says(pilot)
  await check()
  const [, left = '', failing = '', ...others] = assets
  await says(left, 'it ends at once')
  await check()
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [left] } })
  // One of three that are in the fleet, and two of four that were.
  await says(failing, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{}, { failure: 2, started: 2 }] })
  for (const asset of others) await says(asset)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{}, { failure: 2, success: 2 }] })
})

test('what failed is tried again also once its rollout has finished, which stays so; not in one that was aborted, nor in an older one', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  const [, failing = '', left = ''] = assets
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 100 })
  await check()
  await says(pilot)
  for (const asset of [failing, left]) await says(asset, 'it ends at once')
  await check()
  const finished = await last(fleet_id)
  expect(finished).toMatchObject({ state: 'finished', phases: [{ success: 1, failure: 2 }] })
  const listed = async (asset_id: string) =>
    (await ada.call(listFleetAssets, { params: { fleet_id } })).body.items.find(({ id }) => id === asset_id)?.rollout
  expect(await listed(failing)).toEqual({
    version: 1,
    state: 'failure',
    attempts: 1,
    started_at: rollout.started_at,
    settled_at: finished.finished_at,
    error: 'relay: it ends at once',
  })
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [left] } })
  expect(await control('retry', fleet_id, rollout.id)).toMatchObject({ status: 200, body: { state: 'finished' } })
  await check()
  expect(await last(fleet_id)).toMatchObject({
    state: 'finished',
    finished_at: finished.finished_at,
    phases: [{ success: 1, failure: 1, started: 1 }],
  })
  await says(failing)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 2, failure: 1 }] })
  expect(await control('retry', fleet_id, rollout.id)).toMatchObject({
    status: 409,
    body: { detail: 'No device is left to try again: those that failed wait for it already, left the fleet, or are its pilot' },
  })
  // Two of one moment have no order.
  house.clock.advance({ minutes: 1 })
  const { body: second } = await start(fleet_id)
  expect(await control('retry', fleet_id, rollout.id)).toMatchObject({ status: 409, body: { code: 'rollout_wrong_state' } })
  await control('abort', fleet_id, second.id)
  const detail = 'The rollout was aborted: roll the version out again'
  expect(await control('retry', fleet_id, second.id)).toMatchObject({ status: 409, body: { code: 'rollout_wrong_state', detail } })
})
