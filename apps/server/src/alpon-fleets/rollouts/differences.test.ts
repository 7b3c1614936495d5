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
import { restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
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

const { check, fleetOf, says, publish, start, devicesOf, last, control } = rolloutCalls(
  () => house,
  () => ada
)

async function rollOut(fleet_id: string, assets: readonly string[], version = 1) {
  expect((await start(fleet_id, { phases: [100] }, version)).status).toBe(200)
  await check()
  for (const asset_id of assets) await says(asset_id)
  await check()
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

test('one device is brought to its version again; hand edits are shown while it waits and after it failed', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  const [, one = '', other = ''] = assets
  await publish(fleet_id)
  const restore = (asset_id: string, who = ada) => who.call(restoreFleetAsset, { params: { fleet_id, asset_id } })
  const shown = async (asset_id: string) => {
    const { items } = (await ada.call(listFleetAssets, { params: { fleet_id } })).body
    const { version, differences, rollout } = items.find(({ id }) => id === asset_id)!
    return { version, differences, rollout: rollout && { version: rollout.version, state: rollout.state } }
  }
  expect((await restore(one)).body).toMatchObject({ code: 'asset_not_restorable', detail: expect.stringContaining('no version') as string })
  await rollOut(fleet_id, assets)
  const edit = async (asset_id: string) => {
    await ada.call(updateContainer, { params: { asset_id, name: 'relay' }, body: { image: 'acme/relay:9' } })
    await says(asset_id)
  }
  const edited = [`relay: image acme/relay:1@${digest} to acme/relay:9`]
  for (const asset_id of [one, other]) await edit(asset_id)
  expect((await restore(pilot)).body).toMatchObject({ detail: expect.stringContaining('pilot') as string })
  expect((await restore(one, await house.newMember(ada, ['alpon_fleets.view', 'assets.view']))).status).toBe(403)

  expect(await restore(one)).toMatchObject({ status: 200, body: { version: 1 } })
  expect(await shown(one)).toEqual({ version: 1, differences: edited, rollout: { version: 1, state: 'pending' } })
  expect((await restore(one)).body).toMatchObject({ detail: 'It waits for version 1 already' })
  await check()
  expect(await shown(one)).toEqual({ version: 1, differences: [], rollout: { version: 1, state: 'started' } })
  expect((await restore(one)).body).toMatchObject({ detail: 'Version 1 is on its way to it already' })
  await says(one)
  await check()
  expect((await last(fleet_id)).state).toBe('finished')
  expect(await shown(one)).toEqual({ version: 1, differences: [], rollout: { version: 1, state: 'success' } })
  // Nobody else was touched.
  expect(await shown(other)).toEqual({ version: 1, differences: edited, rollout: { version: 1, state: 'success' } })

  // The next version: the other one waits in the second phase while it has hand edits, and fails then.
  await edit(pilot)
  await publish(fleet_id)
  await start(fleet_id, { phases: [1, 100], most_failed_percent: 100 }, 2)
  await check()
  expect(await shown(other)).toEqual({ version: 1, differences: edited, rollout: { version: 2, state: 'pending' } })
  await says(pilot)
  await check()
  await check()
  await says(one)
  await says(other, 'It ended with code 1')
  await check()
  await check()
  expect(await shown(other)).toEqual({ version: 2, differences: [], rollout: { version: 2, state: 'failure' } })
  await ada.call(updateContainer, { params: { asset_id: other, name: 'relay' }, body: { image: 'acme/relay:8' } })
  expect((await shown(other)).differences).toEqual([`relay: image acme/relay:9@${digest} to acme/relay:8`])
  expect((await restore(other)).status).toBe(200)
  await check()
  await says(other)
  await check()
  expect(await shown(other)).toEqual({ version: 2, differences: [], rollout: { version: 2, state: 'success' } })

  // One that was not reached before the rollout was aborted waits for nothing, and has what it had.
  await edit(pilot)
  await ada.call(updateContainer, { params: { asset_id: pilot, name: 'relay' }, body: { image: 'acme/relay:10' } })
  await says(pilot)
  await publish(fleet_id)
  await start(fleet_id, { phases: [1, 100] }, 3)
  await check()
  await control('abort', fleet_id, (await last(fleet_id)).id)
  expect(await shown(one)).toEqual({ version: 2, differences: [], rollout: null })
  expect((await restore(one)).body).toMatchObject({ code: 'asset_not_restorable' })
})

test('one device that is restored changes nothing of a finished rollout and halts nobody, and stops with its fleet and a newer rollout', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(4)
  const [, one = '', other = '', third = ''] = assets
  const restore = async (asset_id: string) =>
    expect((await ada.call(restoreFleetAsset, { params: { fleet_id, asset_id } })).status).toBe(200)
  await publish(fleet_id)
  await rollOut(fleet_id, assets)
  const finished = await last(fleet_id)
  const standing = async (asset_id: string, { id } = finished) => {
    const found = (await devicesOf(fleet_id, id)).find((each) => each.asset_id === asset_id)
    return found && [found.state, found.error]
  }
  const ended = async () => {
    const { state, finished_at } = await last(fleet_id)
    return { state, finished_at }
  }
  const before = { state: 'finished', finished_at: finished.finished_at }
  await restore(one)
  expect(await ended()).toEqual(before)
  await check()
  expect(await standing(one)).toEqual(['started', null])
  await says(one, 'It ended with code 1')
  await check()
  expect(await standing(one)).toEqual(['failure', expect.stringContaining('It ended with code 1')])
  expect(await ended()).toEqual(before)
  const names = (await house.events(ada.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name === 'alpon_fleets.rollout_finished')).toHaveLength(1)
  expect(names).not.toContain('alpon_fleets.rollout_halted')

  // Out of the fleet it is brought nothing any more.
  await restore(one)
  await ada.call(removeFleetAssets, { params: { fleet_id }, body: { assets: [one] } })
  expect(await standing(one)).toBeUndefined()

  await restore(other)
  expect((await start(fleet_id, { phases: [1, 100], most_failed_percent: 0 })).status).toBe(200)
  expect(await standing(other)).toEqual(['failure', 'A newer rollout began before it was done'])
  const newer = await last(fleet_id)
  expect(newer.id).not.toBe(finished.id)
  await check()
  await says(pilot)
  await check()
  await check()
  await says(other)
  await check()
  expect([await standing(other, newer), await standing(third, newer)]).toEqual([
    ['success', null],
    ['started', null],
  ])
  await restore(other)
  await check()
  await says(other, 'It ended with code 1')
  await check()
  expect((await standing(other, newer))?.[0]).toBe('failure')
  expect((await last(fleet_id)).state).toBe('running')
  await says(third)
  await check()
  expect((await last(fleet_id)).state).toBe('finished')
})
