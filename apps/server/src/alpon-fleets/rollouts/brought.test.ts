import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import { restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
import { goOnline, openBrokerHouse, type BrokerHouse } from '../../devices/test-broker.ts'
import { wakeRollouts } from './advance-rollout.ts'
import { rolloutCalls } from './test-rollouts.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const { look, fleetOf, says, publish, start, last, devicesOf } = rolloutCalls(
  () => house,
  () => house.owner
)

test('whoever joins a fleet whose rollout has finished gets its version once they are there, in the name of who added or restored them', async () => {
  const { fleet_id, assets } = await fleetOf(2)
  await publish(fleet_id)
  await start(fleet_id, { phases: [100] })
  await look()
  for (const asset_id of assets) await says(asset_id)
  await look()
  const finished = await last(fleet_id)
  expect(finished).toMatchObject({ state: 'finished', phases: [{ success: 2 }] })

  const device = await house.newDevice('agent')
  const { asset_id } = device
  await house.db.updateTable('asset').set({ type: 'alpon_x4' }).where('id', '=', asset_id).execute()
  const [adds, restores] = await Promise.all(
    [1, 2].map(() => house.newMember(house.owner, ['assets.view', 'alpon_fleets.view', 'alpon_fleets.edit']))
  )
  expect((await adds!.call(addFleetAssets, { params: { fleet_id }, body: { assets: [asset_id] } })).body).toMatchObject({ added: 1 })
  const jobs = async () =>
    (await sql`select from graphile_worker._private_jobs where key = ${`rollout:${finished.id}`}`.execute(house.db)).rows.length
  await look()
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
  await look()
  expect([await standing(), await changedBy(), (await last(fleet_id)).state]).toEqual(['started', adds!.email, 'finished'])
  await says(asset_id)
  await look()
  expect([await standing(), await last(fleet_id)]).toMatchObject([
    'success',
    { state: 'finished', finished_at: finished.finished_at, phases: [{ success: 3 }] },
  ])
  expect(await jobs()).toBe(0)
  const names = (await house.events(house.owner.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name === 'alpon_fleets.rollout_finished')).toHaveLength(1)

  await sql`update container set image = 'acme/relay:9' where asset_id = ${asset_id}`.execute(house.db)
  expect((await restores!.call(restoreFleetAsset, { params: { fleet_id, asset_id } })).status).toBe(200)
  await look()
  expect([await standing(), await changedBy()]).toEqual(['started', restores!.email])
  await client.endAsync()
}, 90_000)
