import { expect, test } from 'vitest'
import { putAsset } from '../assets/test-stock.ts'
import { type TestSim, openMeteredHouse, packetOf } from './test-network.ts'

test('a start after the close begins a new session under the same id', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim({ state: 'standby' })
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 3600
  await house.client.account(packetOf(sim, 'stop', { time: 600, up: 100, down: 0, at: noon }))
  await house.client.account(packetOf(sim, 'start', { at: noon + 60 }))
  await house.client.account(packetOf(sim, 'interim', { time: 30, up: 40, down: 0, at: noon + 90 }))
  // The first session's stop once more: it is nothing of the second.
  await house.client.account(packetOf(sim, 'stop', { time: 600, up: 100, down: 0, at: noon }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 140 })
  expect(await house.sessionsOf(sim)).toMatchObject([
    { superseded: true, bytes_up: 100 },
    { superseded: false, bytes_up: 40, ended_at: null },
  ])
})

test('the last report of the session before, which comes when the new one has begun, is nothing of that', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const told = (kind: 'start' | 'interim', at: number, time: number, up: number, id = 'a1') =>
    house.client.account(packetOf(sim, kind, { id, at: noon + at, time, up, down: up }))
  await told('interim', 600, 600, 1000)
  await told('start', 700, 0, 0)
  await told('interim', 650, 650, 1500)
  await told('interim', 760, 60, 40)
  // The start is lost as well.
  await told('interim', 600, 600, 2000, 'b')
  await told('interim', 760, 60, 30, 'b')
  await told('interim', 650, 650, 2500, 'b')
  await told('interim', 820, 120, 50, 'b')
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 3090, lifetime_down: 3090 })
})

test('an id that a gateway uses again is of the SIM that uses it now', async () => {
  await using house = await openMeteredHouse()
  const [one, other, third] = [await house.newSim(), await house.newSim({ state: 'standby' }), await house.newSim()]
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 36_000
  const said = (sim: TestSim, type: 'start' | 'interim' | 'stop', at: number, more: object = {}) =>
    house.client.account(packetOf(sim, type, { at: noon + at, ...more }))
  await said(one, 'stop', 600, { time: 600, up: 100, down: 0 })
  await said(other, 'start', 700)
  await said(other, 'interim', 760, { time: 60, up: 5000, down: 0 })
  // The gateway fell and came back without a word, so that this one never stopped.
  await said(third, 'start', 900)
  await said(third, 'stop', 960, { time: 60, up: 7000, down: 0 })
  // Its start was lost: it began long after that.
  await said(one, 'stop', 9000, { time: 300, up: 20, down: 0 })
  // Nobody's SIM, and then the one before once more.
  const nobodys = { ...one, imsi: '204089999999999' }
  await said(nobodys, 'start', 20_000)
  await said(nobodys, 'stop', 20_060, { time: 60, up: 9_000_000, down: 0 })
  expect(await Promise.all([one, other, third].map((sim) => house.counter(sim)))).toMatchObject([
    { bytes_up: 120 },
    { bytes_up: 5000 },
    { bytes_up: 7000 },
  ])
  expect(await house.sessionsOf(other)).toMatchObject([{ superseded: true, end_cause: 'Lost stop', bytes_up: 5000 }])
  expect(await house.db.selectFrom('sim').select('state').where('id', '=', other.id).executeTakeFirst()).toEqual({ state: 'active' })
  expect(await house.db.selectFrom('quarantine').selectAll().execute()).toMatchObject([{ packets: 2, counter_up: 9_000_000 }])
})

test('a session that was believed closed and goes on is of whoever has its SIM now, from there on', async () => {
  await using house = await openMeteredHouse()
  const [sim, stays] = [await house.newSim(), await house.newSim()]
  const next = await house.newOwner('next')
  for (const each of [sim, stays]) await house.client.account(packetOf(each, 'interim', { id: each.id, time: 60, up: 100 }))
  await house.client.account({ acct_status_type: 7 })
  house.clock.advance({ minutes: 5 })
  await house.db.deleteFrom('sim_imsi').where('sim_id', '=', sim.id).execute()
  await house.db.deleteFrom('asset').where('id', '=', sim.asset_id).execute()
  const { iccid, imsi } = sim
  const moved = await putAsset(house, next, { serial: 'moved', iccid, imsi, state: 'active' })
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', moved.sim_id).execute()
  house.clock.advance({ minutes: 5 })
  for (const each of [sim, stays]) {
    await house.client.account(packetOf(each, 'interim', { id: each.id, time: 660, up: 700 }))
    await house.client.account(packetOf(each, 'interim', { id: each.id, time: 720, up: 750 }))
  }
  expect(await house.sessionsOf(sim)).toMatchObject([{ superseded: true, bytes_up: 100 }])
  // What it used before it was theirs is in quarantine.
  expect(await house.sessionsOf({ id: moved.sim_id })).toMatchObject([{ account_id: next.account_id, ended_at: null, bytes_up: 50 }])
  expect(await house.sessionsOf(stays)).toMatchObject([{ superseded: false, ended_at: null, bytes_up: 750 }])
})

test('a session that goes on after its SIM was released is not counted for the account that had it, nor before the next one had it', async () => {
  await using house = await openMeteredHouse()
  const [sim, next] = [await house.newSim(), await house.newOwner('next')]
  const began = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const report = (time: number, up: number) => house.client.account(packetOf(sim, 'interim', { time, up, down: 0, at: began + time }))
  await report(600, 1000)
  await house.client.account({ acct_status_type: 7, event_timestamp: began + 700 })
  await house.db.deleteFrom('asset').where('id', '=', sim.asset_id).execute()
  for (const [time, up] of [
    [760, 5000],
    [820, 6000],
  ] as const)
    await report(time, up)
  const before = [{ bytes_up: 1000, end_cause: 'Gateway restarted' }]
  expect(await house.sessionsOf(sim)).toMatchObject(before)
  const waiting = await house.db.selectFrom('quarantine').select(['imsi', 'kind', 'counter_up']).execute()
  expect(waiting).toEqual([{ imsi: sim.imsi, kind: 'unknown', counter_up: 6000 }])
  const { imsi, iccid } = sim
  const { sim_id } = await putAsset(house, next, { imsi, iccid, serial: iccid, state: 'active' })
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', sim_id).execute()
  for (const [time, up] of [
    [880, 7000],
    [940, 7500],
  ] as const)
    await report(time, up)
  expect([await house.sessionsOf(sim), await house.sessionsOf({ id: sim_id })]).toMatchObject([before, [{ bytes_up: 500, ended_at: null }]])
})

test('the Stop of such a session is not counted for the account that had its SIM either, nor for the next one', async () => {
  await using house = await openMeteredHouse()
  const [gone, moved, next] = [await house.newSim(), await house.newSim(), await house.newOwner('next')]
  const began = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const report = (sim: TestSim, kind: 'interim' | 'stop', time: number, up: number) =>
    house.client.account(packetOf(sim, kind, { id: sim.id, time, up, down: 0, at: began + time }))
  for (const sim of [gone, moved]) await report(sim, 'interim', 600, 1000)
  await house.client.account({ acct_status_type: 7, event_timestamp: began + 700 })
  for (const { asset_id } of [gone, moved]) await house.db.deleteFrom('asset').where('id', '=', asset_id).execute()
  const { imsi, iccid } = moved
  const { sim_id } = await putAsset(house, next, { imsi, iccid, serial: iccid, state: 'active' })
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', sim_id).execute()
  for (const sim of [gone, moved]) await report(sim, 'stop', 900, 5000)
  const before = [{ bytes_up: 1000, end_cause: 'Gateway restarted' }]
  expect([await house.sessionsOf(gone), await house.sessionsOf(moved)]).toMatchObject([before, before])
  const over = { account_id: next.account_id, bytes_up: 0, ended_at: new Date((began + 900) * 1000) }
  expect(await house.sessionsOf({ id: sim_id })).toMatchObject([over])
  const waiting = await house.db.selectFrom('quarantine').select(['acct_session_id', 'kind', 'counter_up']).orderBy('kind').execute()
  expect(waiting).toEqual([
    { acct_session_id: moved.id, kind: 'uncounted', counter_up: 5000 },
    { acct_session_id: gone.id, kind: 'unknown', counter_up: 5000 },
  ])
})

test('what another SIM uses an id for counts from where it is first reported, if that began before the gateway was added', async () => {
  await using house = await openMeteredHouse()
  const [one, other] = [await house.newSim(), await house.newSim()]
  const now = Math.floor(house.clock.now().getTime() / 1000)
  await house.db
    .updateTable('gateway')
    .set({ created_at: new Date((now - 600) * 1000) })
    .execute()
  await house.client.account(packetOf(one, 'stop', { time: 60, up: 100, down: 0, at: now - 1800 }))
  await house.client.account(packetOf(other, 'interim', { time: 900, up: 5000, down: 0, at: now }))
  for (const sim of [one, other]) expect(await house.counter(sim)).toMatchObject({ lifetime_up: 0 })
  await house.client.account(packetOf(other, 'interim', { time: 960, up: 5070, down: 0, at: now + 60 }))
  expect(await house.counter(other)).toMatchObject({ lifetime_up: 70 })
})

test('two gateways behind one proxy with one name and equal ids: nobody pays for what another SIM used', async () => {
  await using house = await openMeteredHouse()
  const [one, other, unknown] = [await house.newSim(), await house.newSim(), '204089999999999']
  const began = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const report = (imsi: string, kind: 'interim' | 'stop', time: number, up: number) =>
    house.client.account(packetOf({ ...one, imsi }, kind, { time, up, down: 0, at: began + time }))
  await report(one.imsi, 'interim', 60, 100)
  await report(other.imsi, 'interim', 90, 5000)
  await report(unknown, 'interim', 95, 6000)
  // From the database, not from memory.
  await house.restartMeter()
  await report(other.imsi, 'stop', 100, 9000)
  await report(one.imsi, 'interim', 120, 300)
  // A SIM with two IMSIs may name either of them.
  await house.db.insertInto('sim_imsi').values({ account_id: house.owner.account_id, sim_id: one.id, imsi: '204080000000077' }).execute()
  await report('204080000000077', 'stop', 180, 400)
  expect(await house.counter(one)).toMatchObject({ lifetime_up: 400 })
  expect(await house.counter(other)).toBeUndefined()
  expect(await house.sessionsOf(one)).toMatchObject([{ ended_at: expect.any(Date), bytes_up: 400 }])
  const waiting = await house.db
    .selectFrom('quarantine')
    .select(['imsi', 'kind', 'reason', 'packets', 'counter_up'])
    .orderBy('counter_up')
    .execute()
  const reason = 'The session of this id is another SIM’s: do two gateways give the same name and the same ids?'
  expect(waiting).toEqual([
    { imsi: unknown, kind: 'unknown', reason, packets: 1, counter_up: 6000 },
    { imsi: other.imsi, kind: 'unknown', reason, packets: 2, counter_up: 9000 },
  ])
})
