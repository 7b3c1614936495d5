import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { encodeReply } from '@masthead/radius/authenticator'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { openMeteredHouse, packetOf } from './test-network.ts'

test('a session that begins though its SIM has no service is cut', async () => {
  await using house = await openMeteredHouse()
  const [active, inactive, blocked] = [await house.newSim(), await house.newSim({ state: 'inactive' }), await house.newSim()]
  const blocks = JSON.stringify([{ code: 'data_limit' }])
  await house.db.updateTable('sim').set({ blocks }).where('id', '=', blocked.id).execute()
  house.coa.on('message', (datagram, from) => {
    const answer = encodeReply(decode(datagram) as Packet, codes.disconnect_ack, {}, Buffer.from('secret'))
    house.coa.send(answer, from.port, from.address)
  })
  await house.client.account(packetOf(active, 'start', { id: 'active' }))
  await house.client.account(packetOf(inactive, 'start', { id: 'inactive' }))
  await house.client.account(packetOf(blocked, 'interim', { id: 'blocked', time: 60, up: 10 }))
  // This one is over by the time we hear of it.
  await house.client.account(packetOf(blocked, 'stop', { id: 'over', time: 60, up: 10 }))
  await house.settle()
  const sessions = await house.db.selectFrom('data_session').select(['acct_session_id', 'end_cause', 'disconnect']).orderBy('id').execute()
  expect(sessions.map(({ acct_session_id, end_cause, disconnect }) => [acct_session_id, end_cause, disconnect?.answer ?? null])).toEqual([
    ['active', null, null],
    ['inactive', 'Cut by Masthead', 'ack'],
    ['blocked', 'Cut by Masthead', 'ack'],
    ['over', 'Ended by the network', null],
  ])
})

test('a SIM that is taken off its account while its first packet is counted counts nothing there', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const taken = Promise.withResolvers<void>()
  const waits = sql<{ waits: boolean }>`select exists (select from pg_stat_activity
    where application_name = 'masthead meter' and wait_event_type = 'Lock' and datname = current_database()) as waits`
  const answer = house.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('asset').where('id', '=', sim.asset_id).execute()
    const answered = house.client.account(packetOf(sim, 'start', { up: 10 }))
    while (!(await waits.execute(house.db)).rows[0]!.waits) await pause(10)
    taken.resolve()
    return { answered }
  })
  await taken.promise
  await (
    await answer
  ).answered
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
