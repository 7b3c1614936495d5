import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lastLinesMark } from '@masthead/contract/devices/agent/container'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { report } from '../test-fleet.ts'
import { looksAgainIn, wakeRollouts } from './advance-rollout.ts'
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

const { check, fleetOf, says, publish, start, last, devicesOf, control, setPilot } = rolloutCalls(
  () => house,
  () => ada
)

test('a rollout that halts is an alert for who may see fleets, until somebody decides', async () => {
  const { fleet_id, pilot } = await fleetOf(2)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  const seer = await house.newMember(ada, ['notifications.view', 'alpon_fleets.view'])
  const other = await house.newMember(ada, ['notifications.view', 'assets.view'])
  const alertsOf = async (person: Person) =>
    (await person.call(listAlerts)).body.items.filter(({ link }) => link === `/alpon-fleets/${fleet_id}`)
  await check()
  await says(pilot, 'it ends at once')
  await check()
  await house.settle()
  const raised = { title: 'The rollout of version 1 to Depots halted', severity: 'critical', source: 'device', state: 'open' }
  expect(await alertsOf(seer)).toMatchObject([raised])
  expect(await alertsOf(other)).toEqual([])
  await control('abort', fleet_id, rollout.id)
  await house.settle()
  expect(await alertsOf(seer)).toMatchObject([{ ...raised, state: 'resolved', resolved_words: 'Somebody aborted the rollout' }])
})

test('what a container printed is not among the reasons why a device failed: whoever sees fleets reads them', async () => {
  const { fleet_id, pilot } = await fleetOf(2)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  await check()
  await says(pilot, `it ends at once${lastLinesMark}password=very-secret`)
  await check()
  const failed = (await devicesOf(fleet_id, rollout.id)).find(({ asset_id }) => asset_id === pilot)
  expect(failed?.error).toBe('relay: it ends at once')
})

test('what was wrong before the try fails no try, and each try begins what is in trouble anew', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  const other = assets[1]!
  await start(fleet_id, { phases: [100], retries: 1, most_failed_percent: 100 })
  await check()
  await says(pilot)
  await says(other, 'it ends at once')
  await check()
  await check()
  const restartOf = async () =>
    (await house.db.selectFrom('container').select(['restart', 'generation']).where('asset_id', '=', other).executeTakeFirstOrThrow())
      .restart
  const now = async () => (await devicesOf(fleet_id, (await last(fleet_id)).id)).find(({ asset_id }) => asset_id === other)
  expect(await now()).toMatchObject({ state: 'started', attempts: 2 })
  const { revision } = await house.db.selectFrom('application').select('revision').where('asset_id', '=', other).executeTakeFirstOrThrow()
  expect(await restartOf()).toBe(revision)
  // It takes up what is wanted, and still says what was wrong before, by a clock that is years behind.
  house.clock.advance({ seconds: 2 })
  await says(other, 'it ends at once')
  const years = (text: string, seconds: number) => new Date(Date.parse(text) - 3 * 365 * 86_400_000 - seconds * 1000).toISOString()
  const ofBefore = async (seconds: number) => {
    const row = await house.db.selectFrom('device').select(['id', 'reported']).where('asset_id', '=', other).executeTakeFirstOrThrow()
    const { agent } = row.reported as { agent: { at: string; containers: { problem: { since: string } | null }[] } }
    const at = agent.at
    agent.at = years(at, 0)
    for (const each of agent.containers) if (each.problem) each.problem.since = years(at, seconds)
    await house.db
      .updateTable('device')
      .set({ reported: JSON.stringify({ agent }) } as never)
      .where('id', '=', row.id)
      .execute()
  }
  await ofBefore(10)
  await check()
  expect(await now()).toMatchObject({ state: 'started', attempts: 2 })
  await says(other, 'it ends at once')
  await ofBefore(1)
  await check()
  expect(await now()).toMatchObject({ state: 'failure', attempts: 2, error: 'relay: it ends at once' })
})

test('a try succeeds once 20 s have passed by our clock too, whatever the clock of the device says', async () => {
  const { fleet_id, pilot } = await fleetOf(1)
  await publish(fleet_id)
  await start(fleet_id, { phases: [100] })
  await check()
  // It says that it runs for a minute: the clock was set meanwhile.
  await report(house, { account_id: ada.account_id, asset_id: pilot })
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ started: 1 }])
  house.clock.advance({ seconds: 20 })
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'finished', phases: [{ success: 1 }] })
})

test('a device that runs another image than the version says fails its try, however healthy it is', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  const other = assets[1]!
  const { body: rollout } = await start(fleet_id, { phases: [100], most_failed_percent: 50 })
  await check()
  await says(pilot)
  const digest = `sha256:${'cd'.repeat(32)}`
  // Its container began after the try.
  house.clock.advance({ seconds: 90 })
  await report(house, { account_id: ada.account_id, asset_id: other, digest })
  await check()
  await check()
  const ended = Object.fromEntries(
    (await devicesOf(fleet_id, rollout.id)).map(({ asset_id, state, error }) => [asset_id, { state, error }])
  )
  expect(ended).toEqual({
    [pilot]: { state: 'success', error: null },
    [other]: { state: 'failure', error: `relay: it runs the image ${digest}, and not the one that was rolled out` },
  })
})

test('with a time for the pilot nobody else begins before it has run that long; a restart in between begins the time anew', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  await publish(fleet_id)
  await setPilot(fleet_id, null)
  expect(await start(fleet_id, { pilot_minutes: 10 })).toMatchObject({ status: 409, body: { code: 'fleet_has_no_pilot' } })
  await setPilot(fleet_id, pilot)
  const { body: rollout } = await start(fleet_id, { phases: [100], pilot_minutes: 10, minutes_a_device: 30 })
  const begun = async () =>
    (await devicesOf(fleet_id, rollout.id)).filter(({ state }) => state !== 'pending').map(({ asset_id }) => asset_id)
  await check()
  expect(await begun()).toEqual([pilot])
  await says(pilot)
  await check()
  house.clock.advance({ minutes: 9 })
  // Another start of its container, whatever its clock says of it.
  await says(pilot)
  await check()
  house.clock.advance({ minutes: 9 })
  await check()
  expect(await begun()).toEqual([pilot])
  house.clock.advance({ minutes: 2 })
  // Nothing was received from it meanwhile.
  await check()
  expect(await begun()).toEqual([pilot])
  await house.db
    .updateTable('device')
    .set({ reported_at: house.clock.now() } as never)
    .where('asset_id', '=', pilot)
    .execute()
  await check()
  await check()
  expect((await begun()).toSorted()).toEqual(assets.toSorted())
})

test('the pilot of a rollout is the one with which it began, whichever the fleet has meanwhile', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(3)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [100], pilot_minutes: 10, minutes_a_device: 30 })
  const states = async () =>
    Object.fromEntries((await devicesOf(fleet_id, rollout.id)).map(({ asset_id, state }) => [asset_id, state] as const))
  const waiting = { [assets[0]!]: 'started', [assets[1]!]: 'pending', [assets[2]!]: 'pending' }
  await check()
  await says(pilot)
  await check()
  for (const chosen of [assets[1]!, null, pilot]) {
    await setPilot(fleet_id, chosen)
    await check()
    expect(await states()).toEqual(waiting)
  }
  await setPilot(fleet_id, assets[1]!)
  house.clock.advance({ minutes: 10 })
  await house.db
    .updateTable('device')
    .set({ reported_at: house.clock.now() } as never)
    .where('asset_id', '=', pilot)
    .execute()
  await check()
  await check()
  expect(await states()).toEqual({ [assets[0]!]: 'success', [assets[1]!]: 'started', [assets[2]!]: 'started' })
})

test('a pilot that is deleted after it has run the version for its time halts nothing, also where no other device had begun', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(2)
  await publish(fleet_id)
  const setDevice = (asset_id: string, set: { online: boolean } | { reported_at: Date }) =>
    house.db
      .updateTable('device')
      .set(set as never)
      .where('asset_id', '=', asset_id)
      .execute()
  await setDevice(assets[1]!, { online: false })
  await start(fleet_id, { phases: [100], pilot_minutes: 10, minutes_a_device: 30 })
  await check()
  await says(pilot)
  await check()
  house.clock.advance({ minutes: 10 })
  await setDevice(pilot, { reported_at: house.clock.now() })
  await check()
  expect((await last(fleet_id)).phases).toMatchObject([{ success: 1, pending: 1, offline: 1 }])
  await house.db.deleteFrom('asset').where('id', '=', pilot).execute()
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{ success: 0, pending: 1 }] })
  await setDevice(assets[1]!, { online: true })
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{ started: 1 }] })
})

test('a version whose image is known by no digest is not published: others would get what the tag means by then', async () => {
  const { fleet_id, pilot } = await fleetOf(1)
  const { reported } = await house.db.selectFrom('device').select('reported').where('asset_id', '=', pilot).executeTakeFirstOrThrow()
  await house.db
    .updateTable('device')
    .set({ reported: JSON.stringify(reported).replace(/"sha256:[0-9a-f]+"/, 'null') } as never)
    .where('asset_id', '=', pilot)
    .execute()
  const { status, body } = await publish(fleet_id)
  expect([status, body]).toMatchObject([409, { code: 'pilot_not_ready', detail: expect.stringContaining('relay') }])
})

test('a pause forgives no failures: those before and after it halt together', async () => {
  const { fleet_id, pilot, assets } = await fleetOf(5)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id, { phases: [20, 100], most_failed_percent: 30 })
  await check()
  await says(pilot)
  await check()
  await says(assets[1]!, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'running', phases: [{}, { failure: 1 }] })
  await control('pause', fleet_id, rollout.id)
  house.clock.advance({ minutes: 1 })
  await control('resume', fleet_id, rollout.id)
  await says(assets[2]!, 'it ends at once')
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'halted', phases: [{}, { failure: 2 }] })
  house.clock.advance({ minutes: 1 })
  await control('resume', fleet_id, rollout.id)
  await check()
  expect((await last(fleet_id)).state).toBe('running')
})

test('what runs on a device of a paused rollout ends also where the job that looked at it is lost', async () => {
  const { fleet_id, pilot } = await fleetOf(2)
  await publish(fleet_id)
  const { body: rollout } = await start(fleet_id)
  await check()
  await control('pause', fleet_id, rollout.id)
  await says(pilot)
  await sql`delete from graphile_worker._private_jobs where key = ${`rollout:${rollout.id}`}`.execute(house.db)
  await check()
  expect((await last(fleet_id)).phases[0]).toMatchObject({ started: 1 })
  await wakeRollouts(house.app)
  await check()
  expect(await last(fleet_id)).toMatchObject({ state: 'paused', phases: [{ success: 1 }, { pending: 1 }] })
})

test('outside its window, with nothing begun, and where nobody who waits is there, a rollout is looked at again at the next full minute and not every 5 s', () => {
  const window = { days: [4], from_minute: 22 * 60, to_minute: 23 * 60, timezone: 'UTC' }
  const at = (time: string, runs = false, plan = { window: window as typeof window | null }, canBegin = true) =>
    looksAgainIn(plan, Date.parse(`2026-11-26T${time}Z`), { runs, canBegin })
  expect([at('21:58:12'), at('21:59:59.5'), at('23:00:00')]).toEqual([48_000, 500, 60_000])
  expect([at('22:00:00'), at('21:58:12', true), at('21:58:12', false, { window: null })]).toEqual([5000, 5000, 5000])
  expect([at('22:00:12', false, { window }, false), at('21:58:12', false, { window: null }, false)]).toEqual([48_000, 48_000])
  expect(at('21:58:12', true, { window: null }, false)).toBe(5000)
})
