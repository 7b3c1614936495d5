import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SimState } from '@masthead/contract/assets/sim'
import { activateSim, deactivateSim, getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { newId } from '@masthead/contract/kernel/id'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from './test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** An owner with an asset whose SIM is in a state. */
async function withSim(state: SimState) {
  ada = await house.newOwner()
  const asset = await addAsset(house, ada, { name: 'Pump 7' })
  await house.db.updateTable('sim').set({ state }).where('id', '=', asset.sim!.id).execute()
  return { params: { asset_id: asset.id }, asset }
}
const newest = async () => (await house.events(ada.account_id)).at(-1)!

test.each([
  ['ready', true, true],
  ['active', false, true],
  ['inactive', true, false],
  ['standby', true, true],
  ['terminated', false, false],
  ['inventory', false, false],
] as const)('a SIM that is %s: activate %s, deactivate %s', async (state, activates, deactivates) => {
  for (const [op, can, becomes] of [
    [activateSim, activates, 'active'],
    [deactivateSim, deactivates, 'inactive'],
  ] as const) {
    const { params, asset } = await withSim(state)
    const answer = await ada.call(op, { params })
    if (can) {
      expect(answer).toMatchObject({
        status: 200,
        body: { sim: { state: becomes, status: becomes, state_changed_by: ada.email, state_changed_at: house.clock.now().toISOString() } },
      })
      const detail = { asset_id: asset.id, asset_name: 'Pump 7', sim_id: asset.sim!.id, iccid: asset.sim!.iccid }
      expect(await newest()).toEqual({
        name: becomes === 'active' ? 'assets.sim_activated' : 'assets.sim_deactivated',
        actor_email: ada.email,
        detail,
      })
    } else {
      expect(answer).toMatchObject({ status: 409, body: { code: 'sim_wrong_state', detail: `The SIM of Pump 7 is ${state}` } })
      expect((await newest()).name).toBe('assets.asset_registered')
    }
  }
})

test('the first activation is remembered', async () => {
  const { params } = await withSim('ready')
  const first = house.clock.now().toISOString()
  await ada.call(activateSim, { params })
  house.clock.advance({ minutes: 5 })
  await ada.call(deactivateSim, { params })
  expect((await ada.call(activateSim, { params })).body.sim).toMatchObject({
    activated_at: first,
    state_changed_at: house.clock.now().toISOString(),
  })
})

test('a block stays when the state changes, and shows while the state would give service', async () => {
  const { params, asset } = await withSim('inactive')
  const block = { code: 'staff', since: '2026-01-01T00:00:00Z', by: 'staff', words: 'why', clears: 'how' }
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify([block]) })
    .where('id', '=', asset.sim!.id)
    .execute()
  expect((await ada.call(getAsset, { params })).body.sim).toMatchObject({ state: 'inactive', status: 'inactive' })
  expect((await ada.call(activateSim, { params })).body.sim).toMatchObject({ state: 'active', status: 'blocked', blocks: [block] })
})

test('two who deactivate at once: one does it, one is refused in words', async () => {
  const { params } = await withSim('active')
  const answers = await Promise.all([1, 2, 3].map(() => ada.call(deactivateSim, { params })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
  expect((await house.events(ada.account_id)).filter((event) => event.name === 'assets.sim_deactivated')).toHaveLength(1)
})

test('an asset without a SIM says so', async () => {
  ada = await house.newOwner()
  const { id } = await addAsset(house, ada, { iccid: null })
  const params = { asset_id: id }
  for (const answer of [
    await ada.call(activateSim, { params }),
    await ada.call(deactivateSim, { params }),
    await ada.call(updateAsset, { params, body: { status: 'active' } }),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'asset_has_no_sim' } })
  }
})

test('an update changes what is given and differs, and says each change', async () => {
  const { params, asset } = await withSim('active')
  const [cold, warm] = [
    (await ada.call(createTag, { body: { name: 'cold' } })).body,
    (await ada.call(createTag, { body: { name: 'warm' } })).body,
  ]
  const before = (await house.events(ada.account_id)).length
  const since = async () => (await house.events(ada.account_id)).slice(before).map((event) => [event.name, event.detail])
  expect((await ada.call(updateAsset, { params, body: { name: 'Pump 7', status: 'active', tags: [] } })).body.name).toBe('Pump 7')
  expect(await since()).toEqual([])
  const { status, body } = await ada.call(updateAsset, {
    params,
    body: { name: ' Pump 8 ', status: 'inactive', tags: ['COLD', warm.id, cold.id] },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Pump 8', sim: { state: 'active', status: 'blocked' }, tags: [{ name: 'cold' }, { name: 'warm' }] })
  await ada.call(updateAsset, { params, body: { tags: ['warm'] } })
  const named = { asset_id: asset.id, asset_name: 'Pump 8' }
  expect(await since()).toMatchObject([
    ['assets.asset_switched_off', { asset_id: asset.id, asset_name: 'Pump 7' }],
    ['assets.asset_renamed', { asset_id: asset.id, old_name: 'Pump 7', new_name: 'Pump 8' }],
    ['tags.tag_assigned', { ...named, tag_name: 'cold' }],
    ['tags.tag_assigned', { ...named, tag_name: 'warm' }],
    ['tags.tag_unassigned', { ...named, tag_name: 'cold' }],
  ])
})

test('an asset that is switched off takes the service from all its SIMs; the state of each stays, and counts again when it is on', async () => {
  const { params, asset } = await withSim('active')
  const { account_id } = ada
  const spare = { account_id, id: newId('sim'), asset_id: asset.id, iccid: '8944500000129999999', msisdn: null, eid: null, imei: null }
  const since = { state_changed_at: null, state_changed_by: null, activated_at: null }
  await house.db
    .insertInto('sim')
    .values({ ...spare, ...since, state: 'inactive' })
    .execute()
  const told = async () => (await house.events(account_id)).slice(1).map(({ name }) => name.split('.')[1])
  const put = (status: 'active' | 'inactive') => {
    house.clock.advance({ seconds: 1 })
    return ada.call(updateAsset, { params, body: { status } })
  }
  const at = new Date(house.clock.now().getTime() + 1000).toISOString()
  const block = { code: 'asset_off', since: at, by: ada.email, words: 'The asset is switched off', clears: 'When the asset is switched on' }
  const off = await put('inactive')
  expect(off.body.sim).toMatchObject({ state: 'active', status: 'blocked', blocks: [block] })
  expect(off.body.sims!.find(({ id }) => id === spare.id)).toMatchObject({ state: 'inactive', status: 'inactive', blocks: [block] })
  await put('inactive')
  expect(await told()).toEqual(['asset_switched_off'])
  // What is wanted of the SIM is another matter.
  house.clock.advance({ seconds: 1 })
  await ada.call(deactivateSim, { params })
  expect((await put('active')).body.sim).toMatchObject({ state: 'inactive', blocks: [] })
  expect(await told()).toEqual(['asset_switched_off', 'sim_deactivated', 'asset_switched_on'])
  expect((await put('active')).body.sim).toMatchObject({ state: 'active' })
  expect(await told()).toEqual(['asset_switched_off', 'sim_deactivated', 'asset_switched_on', 'sim_activated'])
})

test('two who switch an asset off at once: it is one event', async () => {
  const { params } = await withSim('active')
  const answers = await Promise.all([1, 2, 3].map(() => ada.call(updateAsset, { params, body: { status: 'inactive' } })))
  expect(answers.map(({ status, body }) => [status, body.sim!.blocks.length])).toEqual([
    [200, 1],
    [200, 1],
    [200, 1],
  ])
  expect((await house.events(ada.account_id)).filter(({ name }) => name === 'assets.asset_switched_off')).toHaveLength(1)
})

test('an update that cannot be done whole is not done at all', async () => {
  const { params } = await withSim('terminated')
  const before = await house.events(ada.account_id)
  expect(await ada.call(updateAsset, { params, body: { name: 'x', status: 'active' } })).toMatchObject({
    status: 409,
    body: { code: 'sim_wrong_state' },
  })
  expect(await ada.call(updateAsset, { params, body: { name: 'x', tags: ['no such'] } })).toMatchObject({
    status: 400,
    body: { code: 'tag_unknown' },
  })
  expect(await ada.call(updateAsset, { params, body: { name: '' } })).toMatchObject({
    status: 400,
    body: { fields: { name: 'Enter a name' } },
  })
  expect((await ada.call(getAsset, { params })).body.name).toBe('Pump 7')
  expect(await house.events(ada.account_id)).toEqual(before)
})

test('a repeated request with the same key changes nothing a second time', async () => {
  const { params } = await withSim('ready')
  const headers = { 'idempotency-key': 'once' }
  const first = await ada.call(activateSim, { params }, headers)
  expect(await ada.call(activateSim, { params }, headers)).toMatchObject({ status: 200, body: first.body })
  expect((await house.events(ada.account_id)).filter((event) => event.name === 'assets.sim_activated')).toHaveLength(1)
})

test('changing needs the permission to edit', async () => {
  const { params } = await withSim('ready')
  const viewer = await house.newMember(ada, ['assets.view', 'assets.register'])
  for (const answer of [
    await viewer.call(activateSim, { params }),
    await viewer.call(deactivateSim, { params }),
    await viewer.call(updateAsset, { params, body: { name: 'x' } }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
})

test('to deactivate while the network makes the SIM active is no deadlock', async () => {
  const { params, asset } = await withSim('ready')
  const first = house.db.updateTable('sim').set({ state: 'active' }).where('id', '=', asset.sim!.id)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      i % 2 ? first.execute().then(() => 200) : ada.call(i % 4 ? activateSim : deactivateSim, { params }).then((answer) => answer.status)
    )
  )
  expect(answers.every((status) => status === 200 || status === 409)).toBe(true)
  await ada.call(updateAsset, { params, body: { name: 'Pump 9', status: 'active' } })
})
