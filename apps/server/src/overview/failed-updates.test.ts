import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { newId } from '@masthead/contract/kernel/id'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { getOverview } from '@masthead/contract/overview/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putDevice, putFleet, putVersion } from '../alpon-fleets/test-fleet.ts'
import { raiseAlert } from '../notifications/index.ts'
import { addAsset, addTag } from '../usage/test-usage.ts'

let house: House
let owner: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await house.newOwner()
})

const attention = async (person: Person) => (await person.call(getOverview, { query: { range: 'month' } })).body.attention
/** The names of those that the list finds, which are as many as the overview counts. */
async function failed(person = owner): Promise<string[]> {
  const { items, total } = (await person.call(listAssets, { query: { attention: 'update' } })).body
  expect((await attention(person)).failed_updates).toBe(total)
  expect((await person.call(listAssets, { query: { q: 'attention:update' } })).body.total).toBe(total)
  return items.map(({ name }) => name).toSorted()
}

/** A rollout of the version to assets of the fleet, newer than those before it. */
async function rollOut(fleet_id: string, states: Record<string, 'pending' | 'success' | 'failure'>) {
  house.clock.advance({ minutes: 1 })
  const { account_id } = owner
  const [id, at] = [newId({ prefix: 'rol' }, house.clock.now().getTime()), house.clock.now()]
  const plan = JSON.stringify({ phases: [100], most_failed_percent: 5, retries: 1, minutes_a_device: 30, window: null })
  await house.db
    .insertInto('rollout')
    .values({ account_id, id, fleet_id, version: 1, plan, state: 'finished', started_at: at, started_by: 'owner' })
    .execute()
  const devices = Object.entries(states).map(([asset_id, state]) => ({ account_id, rollout_id: id, asset_id, phase: 0, state }))
  await house.db.insertInto('rollout_device').values(devices).execute()
}

test('a device that a rollout did not reach is counted until a later one of its fleet takes it up, or it leaves the fleet', async () => {
  const { account_id } = owner
  const tag = await addTag(house, owner, 'north')
  const { asset_id: first } = await addAsset(house, owner, { name: 'first', tags: [tag] })
  const { asset_id: second } = await addAsset(house, owner, { name: 'second' })
  const { asset_id: fine } = await addAsset(house, owner, { name: 'fine' })
  const fleet_id = await putFleet(house, { account_id, asset_id: first })
  for (const asset_id of [second, fine])
    await house.db.insertInto('fleet_asset').values({ account_id, asset_id, fleet_id, added_at: house.clock.now() }).execute()
  await putVersion(house, { account_id, fleet_id })
  await rollOut(fleet_id, { [first]: 'failure', [second]: 'failure', [fine]: 'success' })
  expect(await failed()).toEqual(['first', 'second'])
  const member = await house.newMember(owner, ['overview.view', 'assets.view'], [tag])
  expect(await failed(member)).toEqual(['first'])
  await rollOut(fleet_id, { [first]: 'pending' })
  expect(await failed()).toEqual(['second'])
  await house.db.deleteFrom('fleet_asset').where('asset_id', '=', second).execute()
  expect(await failed()).toEqual([])
})

test('an agent that went back is counted, and one that did not come by itself, until it runs the version or is asked again', async () => {
  const { account_id } = owner
  const ids = new Map<string, string>()
  for (const name of ['back', 'late', 'done']) {
    const { asset_id } = await addAsset(house, owner, { name })
    await putDevice(house, { account_id, asset_id })
    const device = await house.db.selectFrom('device').select('id').where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
    ids.set(name, device.id)
  }
  const says = (name: string, agent: string, update: object | null = null) =>
    sql`update device set reported = ${JSON.stringify({ agent: { versions: { agent }, update } })}::jsonb where id = ${ids.get(name)}`.execute(
      house.db
    )
  const ask = (name: string, id: string) =>
    house.db
      .insertInto('agent_update')
      .values({ account_id, device_id: ids.get(name)!, id, version: '0.2.0', asked_by: 'owner', asked_at: house.clock.now() })
      .execute()
  const tried = {
    version: '0.2.0',
    begun_at: house.clock.now(),
    settled_at: house.clock.now(),
    outcome: 'failure',
    words: 'It was not done',
  } as const
  for (const name of ['late', 'done'])
    await house.db
      .insertInto('agent_update_try')
      .values({ account_id, device_id: ids.get(name)!, id: 'upd_1', ...tried })
      .execute()
  await ask('back', 'upd_2')
  const wentBack = { id: 'upd_2', version: '0.2.0', state: 'gone_back', words: null, at: house.clock.now().toISOString() }
  await says('back', '0.1.0', wentBack)
  await says('late', '0.1.0')
  await says('done', '0.2.0')
  expect(await failed()).toEqual(['back', 'late'])
  await ask('late', 'upd_3')
  expect(await failed()).toEqual(['back'])
  // Set up anew by hand: what it went back from once it runs by now.
  await says('back', '0.2.0', wentBack)
  expect(await failed()).toEqual([])
})

test('alerts that are open are counted as the list has them, for whoever may see alerts', async () => {
  const { account_id } = owner
  const at = house.clock.now()
  const alert = {
    severity: 'warn',
    source: 'policy',
    title: 'Look',
    words: 'At this.',
    lasting: true,
    permission: null,
    link: '/',
  } as const
  await house.db.transaction().execute(async (tx) => {
    for (const cause of ['one', 'two']) await raiseAlert(tx, { account_id, raised_by: cause, at }, { ...alert, cause })
  })
  expect((await attention(owner)).open_alerts).toBe(2)
  expect((await owner.call(listAlerts, { query: { state: ['open'], own: 'false' } })).body.total).toBe(2)
  const member = await house.newMember(owner, ['overview.view'])
  expect((await attention(member)).open_alerts).toBeNull()
})
