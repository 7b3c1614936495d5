import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listRolloutTries, restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
import { fleetMoved, rolloutDevicesFailed } from '@masthead/contract/signals'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { liveChannel } from '../../kernel/live/channel.ts'
import { advanceRollout } from './advance-rollout.ts'
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

const { check, fleetOf, says, publish, start, last, control } = rolloutCalls(
  () => house,
  () => ada
)

test('each try on a device is kept with its time and why it failed, also from before somebody had it tried again', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  const other = assets[1]!
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100], retries: 1, most_failed_percent: 100 })
  const params = { fleet_id, rollout_id: rollout.id, asset_id: other }
  const tries = async (who = ada) => (await who.call(listRolloutTries, { params })).body
  await check()
  expect(await tries()).toMatchObject({ items: [], total: 0 })
  await says(pilot)
  const began = house.clock.now().toISOString()
  for (const words of ['it ends at once', 'no room is left']) {
    house.clock.advance({ seconds: 5 })
    await says(other, words)
    await check()
    await check()
  }
  house.clock.advance({ minutes: 1 })
  await control('retry', fleet_id, rollout.id)
  await check()
  await says(other)
  await check()
  const failed = { outcome: 'failure', ended_at: expect.any(String) as string }
  const { items } = await tries()
  expect(items).toMatchObject([
    { outcome: 'success', words: null },
    { ...failed, words: 'relay: no room is left' },
    { ...failed, words: 'relay: it ends at once' },
  ])
  expect(items.every((each, nth) => each.started_at < each.ended_at && (nth === 0 || each.ended_at <= items[nth - 1]!.started_at))).toBe(
    true
  )
  expect(items.at(-1)!.started_at <= began).toBe(true)

  const limited = await house.newMember(ada, ['alpon_fleets.view'], ['tag_of_nothing'])
  for (const who of [limited, await house.newOwner()]) expect((await who.call(listRolloutTries, { params })).status).toBe(404)
})

test('a try that a newer rollout ends is kept as well, and what has not begun by then is none', async () => {
  const { fleet_id, assets } = await fleetOf(3)
  const [, begun = '', waiting = ''] = assets
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100] })
  await check()
  for (const asset_id of assets) await says(asset_id)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 3 }] })
  const online = (is: boolean) =>
    house.db
      .updateTable('device')
      .set({ online: is } as never)
      .where('asset_id', '=', waiting)
      .execute()
  await online(false)
  house.clock.advance({ minutes: 1 })
  for (const asset_id of [begun, waiting]) await ada.call(restoreFleetAsset, { params: { fleet_id, asset_id } })
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1, started: 1, pending: 1 }])
  const began = house.clock.now().toISOString()
  house.clock.advance({ minutes: 1 })
  await start(fleet_id, { phases: [100] })
  const tries = async (asset_id: string) =>
    (await ada.call(listRolloutTries, { params: { fleet_id, rollout_id: rollout.id, asset_id } })).body.items
  const done = { outcome: 'success', words: null }
  const words = 'A newer rollout began before it was done'
  const ended_at = house.clock.now().toISOString()
  expect(await tries(begun)).toMatchObject([{ outcome: 'failure', words, started_at: began, ended_at }, done])
  expect(await tries(waiting)).toMatchObject([done])
})

test('what fails once somebody has resumed a rollout is not among what they saw, though its check began before', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 100 })
  await check()
  await says(pilot)
  await says(assets[1]!, 'it ends at once')
  const resumed_at = new Date(house.clock.now().getTime() + 60_000)
  let checking: Promise<void> | undefined
  await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('rollout').select('id').where('id', '=', rollout.id).forUpdate().execute()
    checking = advanceRollout(house.app, { account_id: ada.account_id, rollout_id: rollout.id })
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        house.db
      )
      expect(rows.length).toBeGreaterThan(0)
    }, 20_000)
    house.clock.set(resumed_at)
    await tx.updateTable('rollout').set({ resumed_at }).where('id', '=', rollout.id).execute()
    house.clock.advance({ seconds: 1 })
  })
  await checking
  const { settled_at } = await house.db
    .selectFrom('rollout_device')
    .select('settled_at')
    .where('rollout_id', '=', rollout.id)
    .where('asset_id', '=', assets[1]!)
    .executeTakeFirstOrThrow()
  expect(settled_at!.getTime()).toBeGreaterThan(resumed_at.getTime())
})

test('a rollout of a closed account begins on no device, and goes on by itself if that is reopened', async () => {
  const { fleet_id, assets } = await fleetOf(2)
  await publish(fleet_id)
  await start(fleet_id, { phases: [100] })
  const close = (closed_at: Date | null) =>
    house.db
      .updateTable('account')
      .set({ closed_at, suspended_at: closed_at } as never)
      .where('id', '=', ada.account_id)
      .execute()
  await close(house.clock.now())
  await check()
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{ pending: 2, started: 0 }] })
  await close(null)
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ pending: 0, started: 2 }])
  for (const asset_id of assets) await says(asset_id)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 2 }] })
})

test('lists of assets and the overview are asked for again where a device failed, and not while others go on', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  await start(fleet_id, { phases: [100], most_failed_percent: 100 })
  await check()
  await house.settle()
  const listener = await house.app.pool.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload }) => heard.push(payload!))
  await listener.query(`listen ${liveChannel}`)
  /** What was published until now: the connection is notified before it is answered. */
  const said = async () => {
    await listener.query('select 1')
    return heard.splice(0).filter((payload) => payload.startsWith(ada.account_id))
  }
  const moved = `${ada.account_id} ${fleetMoved.name} alpon_fleets`
  const failed = `${ada.account_id} ${rolloutDevicesFailed.name} assets,overview`
  await says(pilot)
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1, started: 1 }])
  const before = await said()
  expect(before).toContain(moved)
  expect(before.some((payload) => /assets|overview/.test(payload))).toBe(false)
  await says(assets[1]!, 'it ends at once')
  await check()
  expect(await said()).toEqual(expect.arrayContaining([moved, failed]))
  listener.release(true)
})
