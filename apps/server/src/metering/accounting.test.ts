import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { encodeRequest } from '@masthead/radius/authenticator'
import { codes } from '@masthead/radius/packet'
import { addStock } from '../assets/test-stock.ts'
import { liveChannel } from '../kernel/live/channel.ts'
import { dropOldSessions, forgetQuarantined } from './end-sessions.ts'
import { openMeteredHouse, packetOf, readingOf } from './test-network.ts'

test('a session from its start to its stop', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const reply = await house.client.account(packetOf(sim, 'start', { called_station_id: 'iot.example', framed_ip: '10.0.0.7' }))
  expect(reply.code).toBe(codes.accounting_response)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 1000, down: 5000, sgsn_mccmnc: '26201', rat_type: 6 }))
  await house.client.account(packetOf(sim, 'stop', { time: 90, up: 1500, down: 6000, acct_terminate_cause: 1 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 1500, bytes_down: 6000, lifetime_up: 1500, lifetime_down: 6000 })
  expect(await house.sessionsOf(sim)).toMatchObject([
    {
      nas: 'pgw-1',
      acct_session_id: 'a1',
      apn: 'iot.example',
      ip: '10.0.0.7',
      mccmnc: '262-01',
      rat: 'EUTRAN',
      bytes_up: 1500,
      bytes_down: 6000,
      end_cause: 'User request',
      gateway_id: house.gateway_id,
      interim_seconds: 300,
    },
  ])
  const records = await house.db.selectFrom('usage_record').selectAll().orderBy('event_at').execute()
  expect(records.map((each) => [each.bytes_up, each.bytes_down, each.mccmnc]).sort()).toEqual([
    [1000, 5000, '262-01'],
    [500, 1000, '262-01'],
  ])
})

test('repeated and overtaken packets count once', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const first = packetOf(sim, 'interim', { time: 60, up: 1000, down: 0 })
  const second = packetOf(sim, 'interim', { time: 120, up: 2000, down: 0 })
  for (const packet of [second, first, second, first, second]) await house.client.account(packet)
  const octets = encodeRequest(
    { code: codes.accounting_request, identifier: 200, attributes: { nas_identifier: 'pgw-1', ...second } },
    Buffer.from('secret')
  )
  house.client.send(octets)
  house.client.send(octets)
  await house.client.askWith(octets)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 2000 })
})

test('wraps, gigawords and resets', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { client } = house
  await client.account(packetOf(sim, 'interim', { id: 'wraps', time: 60, up: 2 ** 32 - 1000, down: 0 }))
  await client.account(packetOf(sim, 'interim', { id: 'wraps', time: 120, up: 500, down: 0 }))
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 2 ** 32 + 500 })
  await client.account(
    packetOf(sim, 'interim', { id: 'wide', time: 60, up: 5, down: 0, acct_input_gigawords: 2, acct_output_gigawords: 0 })
  )
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3 * 2 ** 32 + 505 })
  await client.account(
    packetOf(sim, 'interim', { id: 'wide', time: 120, up: 7, down: 0, acct_input_gigawords: 0, acct_output_gigawords: 0 })
  )
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3 * 2 ** 32 + 512 })
})

test('Accounting-On and -Off close the sessions of their gateway alone', async () => {
  await using house = await openMeteredHouse()
  const [one, other] = [await house.newSim(), await house.newSim()]
  await house.client.account(packetOf(one, 'interim', { time: 60, up: 10, down: 20 }))
  await house.client.account(packetOf(other, 'interim', { time: 60, up: 1, down: 2, nas_identifier: 'pgw-2' }))
  await house.client.account({ acct_status_type: 7 })
  expect(await house.sessionsOf(one)).toMatchObject([{ end_cause: 'Gateway restarted', bytes_up: 10, bytes_down: 20 }])
  expect(await house.sessionsOf(other)).toMatchObject([{ ended_at: null }])
  // One that gives no name speaks for what came from its address without one.
  await house.client.account({ nas_identifier: undefined, acct_status_type: 8 })
  expect(await house.sessionsOf(other)).toMatchObject([{ ended_at: null }])
  await house.client.account(packetOf(other, 'interim', { id: 'unnamed', time: 60, nas_identifier: undefined }))
  await house.client.account({ nas_identifier: undefined, acct_status_type: 8 })
  expect(await house.sessionsOf(other)).toMatchObject([{ ended_at: null }, { nas: '127.0.0.1', end_cause: 'Gateway shut down' }])
  await house.client.account(packetOf(one, 'interim', { time: 90, up: 15, down: 20 }))
  expect(await house.counter(one)).toMatchObject({ bytes_up: 15 })
  expect(await house.sessionsOf(one)).toMatchObject([{ end_cause: 'Gateway restarted', bytes_up: 15 }])
  // What reports after that goes on all the same.
  house.clock.advance({ seconds: 1 })
  await house.client.account(packetOf(one, 'interim', { time: 91, up: 17, down: 20 }))
  expect(await house.sessionsOf(one)).toMatchObject([{ ended_at: null, end_cause: null, bytes_up: 17 }])
})

test('a SIM is known by its IMSI, else its number, else the name', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const counted = (id: string, who: object) =>
    house.client.account({ acct_status_type: 3, acct_session_id: id, acct_session_time: 1, acct_input_octets: 1, ...who })
  await counted('imsi', { imsi: sim.imsi, calling_station_id: '4900000000' })
  await counted('msisdn', { calling_station_id: `+${sim.msisdn}`, user_name: 'anybody' })
  await counted('name', { calling_station_id: '4900000000', user_name: `${sim.imsi}@apn.example` })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3 })
  await counted('other imsi', { imsi: '999990000000000', calling_station_id: sim.msisdn })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3 })
  // Also beside one that is known by that number.
  const { msisdn } = sim
  const told = (acct_session_id: string, imsi: string | null) => readingOf(house, sim, { acct_session_id, imsi, msisdn })
  await house.meter.ingest.addAll([told('beside', null), told('other imsi again', '999990000000000')])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 13 })
})

test('accounting of unknown SIMs is answered and kept', async () => {
  await using house = await openMeteredHouse()
  await addStock(house, { imsis: ['204089999999999'] })
  const packet = { acct_status_type: 3, acct_session_id: 'q1', acct_input_octets: 100 }
  await house.client.account({ ...packet, imsi: '204088888888888' })
  await house.client.account({ ...packet, imsi: '204088888888888', acct_input_octets: 70 })
  await house.client.account({ ...packet, imsi: '204089999999999' })
  await house.client.account({ ...packet })
  const rows = await house.db.selectFrom('quarantine').selectAll().orderBy('identity').execute()
  expect(rows.map(({ identity, reason, packets, counter_up }) => [identity, reason, packets, counter_up])).toEqual([
    ['204088888888888', 'No SIM has this number', 2, 100],
    ['204089999999999', 'The SIM is in stock and not registered to an account', 1, 100],
    ['none', 'No SIM has this number', 1, 100],
  ])
})

test('a ready SIM goes live with its first session, and its device is kept', async () => {
  await using house = await openMeteredHouse()
  const [ready, inactive] = [await house.newSim({ state: 'ready' }), await house.newSim({ state: 'inactive' })]
  await house.client.account(packetOf(ready, 'start', { imeisv: '3569380356438091' }))
  await house.client.account(packetOf(inactive, 'start', { id: 'b' }))
  const stateOf = (id: string) => house.db.selectFrom('sim').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(await stateOf(ready.id)).toMatchObject({ state: 'active', state_changed_by: 'system', imei: '356938035643809' })
  expect(await stateOf(inactive.id)).toMatchObject({ state: 'inactive' })
  expect((await house.events(house.owner.account_id)).map((event) => event.name)).toEqual(['assets.sim_went_live'])
})

test('late usage of the month before goes to its month, and to the lifetime', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  house.clock.set('2026-11-30T23:50:00Z')
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 100, down: 0, at: Date.UTC(2026, 10, 30, 23, 50) / 1000 }))
  house.clock.set('2026-12-01T00:10:00Z')
  await house.client.account(packetOf(sim, 'interim', { id: 'b', time: 60, up: 7, down: 0, at: Date.UTC(2026, 11, 1, 0, 10) / 1000 }))
  await house.client.account(packetOf(sim, 'interim', { time: 120, up: 150, down: 0, at: Date.UTC(2026, 10, 30, 23, 59) / 1000 }))
  expect(await house.counter(sim)).toMatchObject({ period_start: '2026-12-01', bytes_up: 7, lifetime_up: 157 })
  const records = await house.db.selectFrom('usage_record').select(['event_at', 'bytes_up']).where('bytes_up', '=', 50).execute()
  expect(records[0]!.event_at.toISOString()).toBe('2026-11-30T23:59:00.000Z')
})

test('a clock that is ahead or was never set does not move usage to another month', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  house.clock.set('2026-11-15T12:00:00Z')
  await house.client.account(packetOf(sim, 'interim', { id: 'ahead', time: 60, up: 1, down: 0, at: Date.UTC(2027, 5) / 1000 }))
  await house.client.account(packetOf(sim, 'interim', { id: 'unset', time: 60, up: 1, down: 0, at: 3600, acct_delay_time: 30 }))
  await house.client.account(packetOf(sim, 'interim', { id: 'delayed', time: 60, up: 1, down: 0, acct_delay_time: 2 ** 32 - 1 }))
  const sessions = await house.db.selectFrom('data_session').select('updated_at').orderBy('updated_at').execute()
  expect(sessions.map((each) => each.updated_at.toISOString())).toEqual([
    '2026-11-15T11:59:30.000Z',
    '2026-11-15T12:00:00.000Z',
    '2026-11-15T12:00:00.000Z',
  ])
  expect(await house.counter(sim)).toMatchObject({ period_start: '2026-11-01', bytes_up: 3 })
})

test('open consoles are notified, and the gateway was seen', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const listener = await house.app.pool.connect()
  const names = new Set<string>()
  listener.on('notification', ({ payload }) => names.add(payload!))
  await listener.query(`listen ${liveChannel}`)
  await house.client.account(packetOf(sim, 'interim', { time: 60, up: 10, down: 20 }))
  const { account_id } = house.owner
  await expect
    .poll(() => [...names].sort(), { timeout: 20_000 })
    .toEqual([`${account_id} assets.session_changed assets,overview`, `${account_id} usage.counted usage,assets,overview`])
  listener.release(true)
  await house.meter.gateways.saveReceived()
  const { heard_at } = await house.db.selectFrom('gateway_address').select('heard_at').executeTakeFirstOrThrow()
  expect(heard_at).toEqual(house.clock.now())
})

test('an ended session goes in time, and what is reported of it again counts no more', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const { client, clock } = house
  const told = (kind: 'start' | 'interim' | 'stop', time: number, up: number, id = 'a1') =>
    packetOf(sim, kind, { id, time, up, down: 0, at: Math.floor(clock.now().getTime() / 1000) })
  const stop = told('stop', 600, 5000)
  const late = told('interim', 300, 4000)
  const newer = { ...told('stop', 700, 9000), event_timestamp: (stop.event_timestamp as number) + 100 }
  await client.account(told('interim', 300, 70, 'open'))
  await client.account(stop)
  clock.advance({ hours: 24 * 401 })
  await client.account(told('stop', 60, 1000, 'recent'))
  const names = async () => (await house.sessionsOf(sim)).map((session) => session.acct_session_id).sort()
  await dropOldSessions(house.app, 402)
  expect(await names()).toEqual(['a1', 'open', 'recent'])
  expect(await house.db.selectFrom('usage_coverage').select('sessions_since').executeTakeFirst()).toEqual({ sessions_since: null })
  await dropOldSessions(house.app, 400)
  expect(await names()).toEqual(['open', 'recent'])
  for (const packet of [stop, late, newer, stop]) await client.account(packet)
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 6070 })
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="late"}')).toBe(4)
  // The gateway's numbers have come round: another session under the same one.
  await client.account(told('interim', 60, 200))
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 6270 })
  expect(await names()).toEqual(['a1', 'open', 'recent'])
})

test('what was in quarantine goes as long after its last report as an ended session, and no sooner; what nobody has decided about stays', async () => {
  await using house = await openMeteredHouse()
  const { client, clock } = house
  const unknown = { ...(await house.newSim()), imsi: '999990000000001' }
  const report = (id: string, time: number) =>
    client.account(packetOf(unknown, 'interim', { id, time, up: 7, at: Math.floor(clock.now().getTime() / 1000) }))
  await report('gone', 60)
  await report('goes on', 60)
  await report('open', 60)
  await house.db.updateTable('quarantine').set({ state: 'discarded' }).where('acct_session_id', '<>', 'open').execute()
  clock.advance({ hours: 24 * 399 })
  await report('goes on', 120)
  const left = async () => {
    await forgetQuarantined(house.app, 400)
    return (await house.db.selectFrom('quarantine').select('acct_session_id').orderBy('acct_session_id').execute()).map(
      (row) => row.acct_session_id
    )
  }
  expect(await left()).toEqual(['goes on', 'gone', 'open'])
  clock.advance({ hours: 48 })
  expect(await left()).toEqual(['goes on', 'open'])
})

test('a SIM that is taken off its account while its first packet is counted counts nothing there', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const waits = sql<{ waits: boolean }>`select exists (select from pg_stat_activity
    where application_name = 'masthead meter' and wait_event_type = 'Lock' and datname = current_database()) as waits`
  const { answered } = await house.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('asset').where('id', '=', sim.asset_id).execute()
    const answered = house.client.account(packetOf(sim, 'start', { up: 10 }))
    await expect.poll(async () => (await waits.execute(house.db)).rows).toEqual([{ waits: true }])
    return { answered }
  })
  await answered
  expect(await house.sessionsOf(sim)).toEqual([])
  expect(await house.counter(sim)).toBeUndefined()
  expect(await house.db.selectFrom('quarantine').select(['imsi', 'counter_up']).execute()).toMatchObject([{ imsi: sim.imsi }])
})

test('a gateway that restarts closes all its sessions, however many, and nobody else’s', async () => {
  await using house = await openMeteredHouse()
  const sims = [await house.newSim(), await house.newSim(), await house.newSim()]
  for (const sim of sims) await house.client.account(packetOf(sim, 'start', { id: `of ${sim.id}` }))
  await house.client.account({ ...packetOf(sims[1]!, 'start', { id: 'elsewhere' }), nas_identifier: 'pgw-2' })
  const many = 6000
  await sql`insert into data_session select (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'acct_session_id', s.acct_session_id || n))).*
    from data_session s, generate_series(1, ${many}) n where s.nas = 'pgw-1'`.execute(house.db)
  await house.client.account({ acct_status_type: 7 })
  const count = house.db.fn.countAll<number>().as('count')
  expect(
    await house.db.selectFrom('data_session').select(['nas', 'end_cause', count]).groupBy(['nas', 'end_cause']).orderBy('nas').execute()
  ).toEqual([
    { nas: 'pgw-1', end_cause: 'Gateway restarted', count: 3 * (many + 1) },
    { nas: 'pgw-2', end_cause: null, count: 1 },
  ])
})
