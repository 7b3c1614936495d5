import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFleetAssets, removeFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import {
  deployContainer,
  getApplication,
  removeContainer,
  stopContainer,
  updateContainer,
} from '@masthead/contract/devices/agent/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
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

const { look, fleetOf, says, publish, start, devicesOf, last } = rolloutCalls(
  () => house,
  () => ada
)

async function rollOut(fleet_id: string, assets: readonly string[], version = 1) {
  expect((await start(fleet_id, { phases: [100] }, version)).status).toBe(200)
  await look()
  for (const asset_id of assets) await says(asset_id)
  await look()
  const { id, state } = await last(fleet_id)
  expect([state, (await devicesOf(fleet_id, id)).map((each) => each.state)]).toEqual(['finished', assets.map(() => 'success')])
}

test('what somebody changes by hand on a device of a fleet is shown as a difference from its version, and a rollout of that undoes it', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  const [, one = '', other = ''] = assets
  await publish(fleet_id)
  const shown = async (asset_id: string) => {
    const { items } = (await ada.call(listFleetAssets, { params: { fleet_id } })).body
    const { version, differences } = items.find(({ id }) => id === asset_id)!
    return { version, differences }
  }
  const fleetVersion = async (asset_id: string) => (await ada.call(getApplication, { params: { asset_id } })).body.fleet_version
  expect([await shown(one), await fleetVersion(one)]).toEqual([{ version: null, differences: [] }, null])
  await rollOut(fleet_id, assets)
  for (const asset_id of [one, other])
    expect([await shown(asset_id), await fleetVersion(asset_id)]).toEqual([{ version: 1, differences: [] }, 1])
  // The next version is made on the pilot.
  expect([await shown(pilot), await fleetVersion(pilot)]).toEqual([{ version: null, differences: [] }, null])

  const relay = { params: { asset_id: one, name: 'relay' } }
  const token = [{ name: 'TOKEN', value: 'changed', secret: true }]
  await ada.call(updateContainer, { ...relay, body: { image: 'acme/relay:9', environment: token } })
  await ada.call(deployContainer, { params: { asset_id: one }, body: { name: 'shell', image: 'acme/shell:1' } })
  await says(one)
  await ada.call(stopContainer, relay)
  expect(await shown(one)).toEqual({
    version: 1,
    differences: [
      `relay: image acme/relay:1@${digest} to acme/relay:9`,
      'relay: variable TOKEN changed',
      'shell added: acme/shell:1',
      'relay: stopped',
    ],
  })
  await ada.call(removeContainer, { params: { asset_id: other, name: 'relay' } })
  expect((await shown(other)).differences).toEqual(['relay removed'])

  await rollOut(fleet_id, assets)
  for (const asset_id of [one, other]) expect(await shown(asset_id)).toEqual({ version: 1, differences: [] })
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [one] } })
  expect(await fleetVersion(one)).toBeNull()
})
