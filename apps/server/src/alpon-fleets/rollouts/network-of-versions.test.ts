import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import { getRolloutPreview, listVersions } from '@masthead/contract/alpon-fleets/rollout-operations'
import { getNetwork, updateNetworkPriority, updateSimAccess } from '@masthead/contract/devices/network/operations'
import type { NetworkChange } from '@masthead/contract/devices/network/reported'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { rolloutCalls } from './test-rollouts.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const { check, fleetOf, says, publish, start, last, devicesOf, control } = rolloutCalls(
  () => house,
  () => ada
)

const wantedOn = async (asset_id: string) => (await ada.call(getNetwork, { params: { asset_id } })).body.wanted

const alreadyOf = async (fleet_id: string, version: number) =>
  (await ada.call(getRolloutPreview, { params: { fleet_id }, query: { version } })).body.already

/** What the device says of the latest change of its network, beside what it says of its containers. */
async function saysOfNetwork(asset_id: string, state: NetworkChange['state'], words: string | null = null) {
  const at = house.clock.now().toISOString()
  const { generation } = (await wantedOn(asset_id))!
  await reportsNetwork(asset_id, { words: null, change: { generation, state, words, began_at: at, until: null, ended_at: at } })
}

async function reportsNetwork(asset_id: string, said: { words: string | null; change: NetworkChange | null }) {
  const at = house.clock.now().toISOString()
  const network = { at, manager: '1.42', modem_words: null, interfaces: [], apn: null, modem: null, pin: null, ...said }
  await sql`update device set reported = reported || ${JSON.stringify({ network })}::jsonb where asset_id = ${asset_id}`.execute(house.db)
}

test('a version has the network priority and the APN that are set on its pilot: devices keep them, or their try has failed', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  const other = assets[1]!
  const params = { asset_id: pilot }
  expect((await publish(fleet_id)).body).toMatchObject({ version: 1, network: null })
  await ada.call(updateNetworkPriority, { params, body: { interfaces: ['eth0', 'wwan0'] } })
  await ada.call(updateSimAccess, { params, body: { apn: 'super', user: 'me', password: 'very secret', pin: '1234' } })
  await says(pilot)
  await saysOfNetwork(pilot, 'undone', 'The server was not reached with it')
  const detail = 'The network of the pilot is not as it is wanted. The server was not reached with it'
  expect(await publish(fleet_id)).toMatchObject({ status: 409, body: { code: 'pilot_not_ready', detail } })
  await saysOfNetwork(pilot, 'kept')
  expect((await publish(fleet_id)).body).toMatchObject({
    version: 2,
    changes: ['network priority set to eth0, wwan0', 'APN set to super as me'],
    network: { priority: ['eth0', 'wwan0'], apn: { name: 'super', user: 'me' } },
  })
  expect((await ada.call(listVersions, { params: { fleet_id } })).text).not.toContain('very secret')

  // What it said before it heard of the version is nothing that became of its try.
  await reportsNetwork(other, { words: 'Error: Timeout 20 sec expired', change: null })
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 100 }, 2)
  await check()
  expect(await wantedOn(other)).toMatchObject({
    priority: ['eth0', 'wwan0'],
    apn: { name: 'super', user: 'me', has_password: true },
    // A PIN is of one SIM.
    pin_generation: null,
  })
  const now = async () => (await devicesOf(fleet_id, rollout.id)).find(({ asset_id }) => asset_id === other)
  expect((await now())!.step).toEqual({ name: 'asked', percent: null })
  await says(pilot)
  await saysOfNetwork(pilot, 'kept')
  await says(other)
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1, started: 1 }])
  expect((await now())!.step).toEqual({ name: 'watched', percent: null })
  await saysOfNetwork(other, 'undone', 'The server was not reached with it')
  await check()
  expect(await now()).toMatchObject({ state: 'failure', step: null, error: 'Network: The server was not reached with it' })
  const { generation } = (await wantedOn(other))!
  await control('retry', fleet_id, rollout.id)
  await check()
  expect((await wantedOn(other))!.generation).toBeGreaterThan(generation)
  await says(other)
  await saysOfNetwork(other, 'kept')
  await check()
  expect(await now()).toMatchObject({ state: 'success', error: null })
  expect(await alreadyOf(fleet_id, 2)).toBe(2)
  await ada.call(updateSimAccess, { params: { asset_id: other }, body: { user: 'another' } })
  expect(await alreadyOf(fleet_id, 2)).toBe(1)
})

test('what is changed on a device by hand is a difference, and a version that says nothing of the network leaves it alone', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  const other = assets[1]!
  await publish(fleet_id)
  await ada.call(updateNetworkPriority, { params: { asset_id: pilot }, body: { interfaces: ['eth0', 'wwan0'] } })
  await says(pilot)
  await saysOfNetwork(pilot, 'kept')
  await publish(fleet_id)
  expect(await alreadyOf(fleet_id, 2)).toBe(0)
  const rollOut = async (version: number) => {
    // Two of one moment have no order.
    house.clock.advance({ minutes: 1 })
    await start(fleet_id, { phases: [100] }, version)
    await check()
    for (const asset_id of assets) {
      await says(asset_id)
      await saysOfNetwork(asset_id, 'kept')
    }
    await check()
    expect((await last(fleet_id)).state).toBe('finished')
  }
  await rollOut(2)
  expect(await alreadyOf(fleet_id, 2)).toBe(2)
  const shown = async () =>
    (await ada.call(listFleetAssets, { params: { fleet_id } })).body.items.find(({ id }) => id === other)!.differences
  expect(await shown()).toEqual([])
  await ada.call(updateNetworkPriority, { params: { asset_id: other }, body: { interfaces: ['wlan0'] } })
  expect([await alreadyOf(fleet_id, 2), await shown()]).toEqual([1, ['network priority eth0, wwan0 to wlan0']])
  await rollOut(1)
  expect([(await wantedOn(other))!.priority, await shown()]).toEqual([['wlan0'], []])
})

/** Version 2 has the network priority of the pilot, and is rolled out to both devices; the pilot has it. */
async function startedWithNetwork() {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  const other = assets[1]!
  await publish(fleet_id)
  await ada.call(updateNetworkPriority, { params: { asset_id: pilot }, body: { interfaces: ['eth0', 'wwan0'] } })
  await says(pilot)
  await saysOfNetwork(pilot, 'kept')
  await publish(fleet_id)
  const began = async () => {
    const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 100 }, 2)
    await check()
    return {
      now: async () => (await devicesOf(fleet_id, rollout.id)).find(({ asset_id }) => asset_id === other)!,
      again: async () => {
        await control('retry', fleet_id, rollout.id)
        await check()
      },
    }
  }
  return { other, began }
}

test('a device that keeps what somebody set by hand in the try has not the network of the version', async () => {
  const { other, began } = await startedWithNetwork()
  const { now } = await began()
  await ada.call(updateNetworkPriority, { params: { asset_id: other }, body: { interfaces: ['wlan0'] } })
  await says(other)
  await saysOfNetwork(other, 'kept')
  await check()
  expect(await now()).toMatchObject({ state: 'failure', error: 'Network: it was changed by hand in the try' })
})

test('an agent that is too old to set the network fails at once, and not where it has said what the network is like', async () => {
  const { other, began } = await startedWithNetwork()
  const said = JSON.stringify({ agent: { versions: { agent: '0.1.0', os: 'Debian', kernel: '6', engine: null } } })
  await sql`update device set reported = ${said}::jsonb where asset_id = ${other}`.execute(house.db)
  const { now, again } = await began()
  const error = 'Network: the agent 0.1.0 is too old to set it. Update the agent, then try again'
  expect(await now()).toMatchObject({ state: 'failure', attempts: 0, error })
  expect(await wantedOn(other)).toBeNull()
  await reportsNetwork(other, { words: null, change: null })
  await again()
  expect(await now()).toMatchObject({ state: 'started', attempts: 1, error: null })
})
