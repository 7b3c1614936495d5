import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addFleetAssets,
  createFleet,
  getFleet,
  listFleets,
  removeFleetAssets,
  updateFleet,
} from '@masthead/contract/alpon-fleets/operations'
import * as ops from '@masthead/contract/alpon-fleets/rollout-operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { updateContainer } from '@masthead/contract/devices/agent/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { putDevice, report } from '../test-fleet.ts'
import { digest, rolloutCalls } from './test-rollouts.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const { check, fleetOf, says, publish, start, last, devicesOf, control, containersOn } = rolloutCalls(
  () => house,
  () => ada
)

test('what the pilot runs becomes a version, its images by digest and its secrets unseen; the same is not published twice', async () => {
  const { fleet_id, pilot } = await fleetOf(2)
  const { body, status } = await publish(fleet_id, 'First')
  expect([status, body]).toMatchObject([
    200,
    {
      version: 1,
      note: 'First',
      containers: [{ name: 'relay', image: `acme/relay:1@${digest}` }],
      changes: [`relay added: acme/relay:1@${digest}`],
    },
  ])
  expect(await publish(fleet_id)).toMatchObject({ status: 409, body: { code: 'nothing_to_publish' } })
  await ada.call(updateContainer, { params: { asset_id: pilot, name: 'relay' }, body: { image: 'acme/relay:2' } })
  expect(await publish(fleet_id)).toMatchObject({
    status: 409,
    body: { code: 'pilot_not_ready', detail: 'The container relay of the pilot does not run as it is wanted yet' },
  })
  await says(pilot)
  expect((await publish(fleet_id)).body).toMatchObject({
    version: 2,
    changes: [`relay: image acme/relay:1@${digest} to acme/relay:2@${digest}`],
  })
  await ada.call(updateContainer, {
    params: { asset_id: pilot, name: 'relay' },
    body: { environment: [{ name: 'TOKEN', value: 'another', secret: true }] },
  })
  await says(pilot)
  expect((await publish(fleet_id)).body).toMatchObject({ version: 3, changes: ['relay: variable TOKEN changed'] })
  const rows = await house.db.selectFrom('fleet_version').selectAll().where('fleet_id', '=', fleet_id).execute()
  expect(JSON.stringify(rows)).not.toContain('very secret')
})

test('a fleet without a pilot, and a pilot without an agent, publish nothing', async () => {
  const { body: fleet } = await ada.call(createFleet, { body: { name: 'Empty' } })
  expect(await publish(fleet.id)).toMatchObject({ status: 409, body: { code: 'fleet_has_no_pilot' } })
  const asset = await addAsset(house, ada)
  await ada.call(addFleetAssets, { params: { fleet_id: fleet.id }, body: { assets: [asset.id] } })
  await ada.call(updateFleet, { params: { fleet_id: fleet.id }, body: { pilot_asset_id: asset.id } })
  expect(await publish(fleet.id)).toMatchObject({ status: 409, body: { code: 'pilot_not_ready' } })
  expect(await start(fleet.id)).toMatchObject({ status: 404 })
})

test('a version goes to the first phase, then to the others, with its secrets, and the rollout ends', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(5)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  expect(rollout).toMatchObject({ state: 'running', phases: [{ pending: 1 }, { pending: 4 }] })
  expect(await start(fleet_id)).toMatchObject({ status: 409, body: { code: 'rollout_open' } })
  await check()
  expect((await devicesOf(fleet_id, rollout.id, { state: 'started' })).map(({ asset_id }) => asset_id)).toEqual([pilot])
  await says(pilot)
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1 }, { started: 4 }])
  const other = assets[1]!
  expect(await containersOn(other)).toMatchObject([
    { name: 'relay', image: `acme/relay:1@${digest}`, environment: [{ name: 'TOKEN', value: null, secret: true }] },
  ])
  for (const asset of assets.slice(1)) await says(asset)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 1 }, { success: 4 }] })
  const names = (await house.events(ada.account_id)).map(({ name }) => name)
  expect(names).toContain('alpon_fleets.rollout_finished')
})

test('too many failures halt it; the failed ones are tried again, or it goes on without them', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(5)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  await check()
  await says(pilot)
  await check()
  const [a, b, c, d] = assets.slice(1) as [string, string, string, string]
  for (const asset of [a, b]) await says(asset, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'halted', phases: [{ success: 1 }, { failure: 2, started: 2 }] })
  expect(await devicesOf(fleet_id, rollout.id, { state: 'failure' })).toMatchObject([
    { error: 'relay: it ends at once' },
    { error: 'relay: it ends at once' },
  ])
  for (const asset of [c, d]) await says(asset)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'halted', phases: [{}, { failure: 2, success: 2 }] })
  await control('retry', fleet_id, rollout.id)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{}, { started: 2 }] })
  await says(a)
  await says(b, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{}, { failure: 1, success: 3 }] })
})

test('who joins later gets the current version, who leaves is waited for no more, and after an abort there is none', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  const getVersionNow = async () => (await ada.call(getFleet, { params: { fleet_id } })).body.version
  expect(await getVersionNow()).toBeNull()
  // More than the database holds as a number of a version.
  const beyond = { params: { fleet_id }, query: { version: 3_000_000_000 } }
  expect(await ada.call(ops.getRolloutPreview, beyond)).toMatchObject({ status: 400 })
  const preview = await ada.call(ops.getRolloutPreview, { params: { fleet_id }, query: { version: 1 } })
  const elsewhere = { devices: 0, bytes: 0, incomplete: false }
  const download = { devices: 1, bytes: 0, unknown_images: [`acme/relay:1@${digest}`], elsewhere }
  const pools = [{ pool: null, others: [], devices: 1, bytes: 0, missing_bytes: 0, incomplete: true }]
  const counts = { devices: 2, online: 2, offline: 0, without_agent: 0, already: 0 }
  const images = { gone_images: [], foreign_images: [`acme/relay:1@${digest}`] }
  expect(preview.body).toEqual({ ...counts, ...images, download: { ...download, pools } })
  const { body: rollout } = await start(fleet_id, { phases: [100] })
  await check()
  for (const asset of assets) await says(asset)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished' })
  expect(await getVersionNow()).toBe(1)

  const late = await addAsset(house, ada)
  const other = await addAsset(house, ada)
  await putDevice(house, { account_id: ada.account_id, asset_id: late.id })
  await ada.call(addFleetAssets, { params: { fleet_id }, body: { assets: [late.id, other.id] } })
  expect(await ada.call(ops.getRolloutPreview, { params: { fleet_id }, query: { version: 1 } })).toMatchObject({
    body: { devices: 4, online: 3, without_agent: 1, already: 2 },
  })
  await check()
  expect(await last(fleet_id)).toMatchObject({ id: rollout.id, state: 'finished', phases: [{ success: 2, started: 1, pending: 1 }] })
  expect(await containersOn(late.id)).toMatchObject([{ name: 'relay' }])
  await says(late.id)
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [other.id] } })
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 3, pending: 0 }] })

  await ada.call(updateContainer, { params: { asset_id: pilot, name: 'relay' }, body: { image: 'acme/relay:2' } })
  await says(pilot)
  await publish(fleet_id)
  // Two of one moment have no order.
  house.clock.advance({ minutes: 1 })
  const { body: second } = await start(fleet_id, {}, 2)
  await control('abort', fleet_id, second.id)
  expect(await getVersionNow()).toBeNull()
  await ada.call(addFleetAssets, { params: { fleet_id }, body: { assets: [other.id] } })
  await check()
  expect(await last(fleet_id)).toMatchObject({ id: second.id, state: 'aborted', phases: [{ pending: 1 }, { pending: 2 }] })
})

test('what failed and has left the fleet since is not tried again with the others', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  const [, left = '', stays = ''] = assets
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 0 })
  await check()
  await says(pilot)
  for (const asset of [left, stays]) await says(asset, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'halted', phases: [{ success: 1, failure: 2 }] })
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [left] } })
  expect((await control('retry', fleet_id, rollout.id)).body.state).toBe('running')
  await check()
  const devices = new Map((await devicesOf(fleet_id, rollout.id)).map((each) => [each.asset_id, each]))
  expect([devices.get(left), devices.get(stays)]).toMatchObject([
    { state: 'failure', error: 'relay: it ends at once' },
    { state: 'started' },
  ])
})

test('paused, nothing begins; aborted, nothing is left to do; a new rollout may go back', async () => {
  const { fleet_id } = await fleetOf(3)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  expect((await control('pause', fleet_id, rollout.id)).body.state).toBe('paused')
  await check()
  expect(await last(fleet_id)).toMatchObject({ phases: [{ pending: 1 }, { pending: 2 }] })
  expect((await control('resume', fleet_id, rollout.id)).body.state).toBe('running')
  expect((await control('abort', fleet_id, rollout.id)).body.state).toBe('aborted')
  await check()
  expect(await last(fleet_id)).toMatchObject({ phases: [{ pending: 1 }, { pending: 2 }] })
  expect(await control('resume', fleet_id, rollout.id)).toMatchObject({ status: 409, body: { code: 'rollout_wrong_state' } })
  expect((await start(fleet_id)).status).toBe(200)
})

test('a device that is offline gets the version when it is back, and one that takes too long has failed', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  await publish(fleet_id)
  await house.db
    .updateTable('device')
    .set({ online: false } as never)
    .where('asset_id', '=', assets[1]!)
    .execute()
  await start(fleet_id, { phases: [100], minutes_a_device: 5, most_failed_percent: 50 })
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ started: 2, pending: 1, offline: 1 }])
  await says(pilot)
  house.clock.advance({ minutes: 6 })
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1, failure: 1, offline: 1 }])
  await house.db
    .updateTable('device')
    .set({ online: true } as never)
    .where('asset_id', '=', assets[1]!)
    .execute()
  await check()
  await says(assets[1]!)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 2, failure: 1 }] })
})

test('a device whose agent is too old for an image fails before anything is asked of it, and gets the version once its agent is updated', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  const other = assets[1]!
  const runs = (agent: string) => {
    const said = JSON.stringify({ agent: { versions: { agent, os: 'Debian', kernel: '6', engine: null } } })
    return sql`update device set reported = ${said}::jsonb where asset_id = ${other}`.execute(house.db)
  }
  await runs('0.1.0')
  const sha512 = `sha512:${'ab'.repeat(64)}`
  await report(house, { account_id: ada.account_id, asset_id: pilot, digest: sha512 })
  expect((await publish(fleet_id)).body.containers).toEqual([{ name: 'relay', image: `acme/relay:1@${sha512}` }])
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 50 })
  await check()
  const now = async () => (await devicesOf(fleet_id, rollout.id)).find(({ asset_id }) => asset_id === other)
  const error = 'relay: the agent 0.1.0 is too old for this image. Update the agent, then try again'
  expect(await now()).toMatchObject({ state: 'failure', error })
  expect((await last(fleet_id)).phases).toMatchObject([{ started: 1, failure: 1 }])
  expect(await containersOn(other)).toEqual([])
  await runs('0.330.7')
  await control('retry', fleet_id, rollout.id)
  await check()
  expect(await now()).toMatchObject({ state: 'started', error: null })
  expect(await containersOn(other)).toMatchObject([{ name: 'relay', image: `acme/relay:1@${sha512}` }])
})

test('the list of fleets says how many devices are online and how far the newest rollout is; to a limited member, of those that they see', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  const [, failing = '', away = ''] = assets
  await publish(fleet_id)
  const tag = (await ada.call(createTag, { body: { name: 'north' } })).body.id
  await ada.call(updateAsset, { params: { asset_id: failing }, body: { tags: [tag] } })
  const limited = await house.newMember(ada, ['alpon_fleets.view'], [tag])
  const shown = async (who: Person) => {
    const { assets: count, online, rollout } = (await who.call(listFleets)).body.items[0]!
    return { count, online, rollout }
  }
  expect(await shown(ada)).toEqual({ count: 3, online: 3, rollout: null })
  await start(fleet_id, { phases: [100] })
  await check()
  await says(pilot)
  await says(failing, 'it ends at once')
  await check()
  await house.db
    .updateTable('device')
    .set({ online: false } as never)
    .where('asset_id', '=', away)
    .execute()
  const halted = { version: 1, state: 'halted' }
  expect(await shown(ada)).toEqual({ count: 3, online: 2, rollout: { ...halted, devices: 3, success: 1, failure: 1 } })
  expect(await shown(limited)).toEqual({ count: 1, online: 1, rollout: { ...halted, devices: 1, success: 0, failure: 1 } })
})
