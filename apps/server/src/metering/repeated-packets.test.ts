import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { encodeRequest } from '@masthead/radius/authenticator'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes } from '@masthead/radius/packet'
import { openMeteredHouse, packetOf } from './test-network.ts'

/** One packet, to be sent more than once. */
const packet = (identifier: number, attributes: Attributes) =>
  encodeRequest(
    { code: codes.accounting_request, identifier, attributes: { nas_identifier: 'pgw-1', ...attributes } },
    Buffer.from('secret')
  )

const waitsForLock = sql`select from pg_stat_activity
  where application_name = 'masthead meter' and wait_event_type = 'Lock' and datname = current_database()`

test('packets that do not say when they happened count once, however often they are sent', async () => {
  await using house = await openMeteredHouse()
  const [one, other] = [await house.newSim(), await house.newSim()]
  const whole = [packet(201, packetOf(one, 'start')), packet(202, packetOf(one, 'stop', { time: 2, up: 1000, down: 0 }))]
  const untimed = [100, 300].map((up, i) => packet(203 + i, packetOf(other, 'interim', { id: 'b', up, down: 0 })))
  for (const each of [...whole, ...untimed, ...whole, ...untimed]) await house.client.askWith(each)
  expect(await house.counter(one)).toMatchObject({ bytes_up: 1000 })
  expect(await house.sessionsOf(one)).toHaveLength(1)
  expect(await house.counter(other)).toMatchObject({ bytes_up: 300 })
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="retransmitted"}')).toBe(4)
})

test('a packet that waited for long is known again from its answer on', async () => {
  await using house = await openMeteredHouse()
  const sim = await house.newSim()
  const [less, more] = [100, 300].map((up, i) => packet(201 + i, packetOf(sim, 'interim', { up, down: 0 })))
  const answers = await house.db.transaction().execute(async (tx) => {
    await sql`lock table sim_counter in exclusive mode`.execute(tx)
    const answers = [less!, more!].map((each) => house.client.askWith(each))
    await expect.poll(() => waitsForLock.execute(house.db).then(({ rows }) => rows.length)).toBeGreaterThan(0)
    house.clock.advance({ seconds: 90 })
    return answers
  })
  await Promise.all(answers)
  for (const each of [less!, more!]) await house.client.askWith(each)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 300 })
})

test.each([{}, { acct_session_id: '00000000' }])('an On that is sent again closes no session that began after it: %j', async (more) => {
  await using house = await openMeteredHouse()
  const [before, after] = [await house.newSim(), await house.newSim()]
  const on = packet(201, { acct_status_type: 7, ...more })
  await house.client.account(packetOf(before, 'start'))
  await house.client.askWith(on)
  await house.client.account(packetOf(after, 'start', { id: 'b' }))
  await house.client.askWith(on)
  expect(await house.sessionsOf(before)).toMatchObject([{ end_cause: 'Gateway restarted' }])
  expect(await house.sessionsOf(after)).toMatchObject([{ ended_at: null }])
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="on"}')).toBe(1)
  expect(house.meter.figures.count('masthead_meter_accounting_total{effect="retransmitted"}')).toBe(1)
  house.clock.advance({ seconds: 61 })
  await house.client.askWith(on)
  expect(await house.sessionsOf(after)).toMatchObject([{ end_cause: 'Gateway restarted' }])
})

test('an On that says when it was closes nothing that began later, though another meter gets it', async () => {
  await using house = await openMeteredHouse()
  const [before, after] = [await house.newSim(), await house.newSim()]
  const at = Math.floor(house.clock.now().getTime() / 1000)
  const on = packet(201, { acct_status_type: 7, event_timestamp: at - 20 })
  await house.client.account(packetOf(before, 'start', { at: at - 60 }))
  await house.client.askWith(on)
  await house.client.account(packetOf(after, 'start', { id: 'b', at: at - 10 }))
  await house.restartMeter()
  await house.client.askWith(on)
  expect(await house.sessionsOf(before)).toMatchObject([{ end_cause: 'Gateway restarted' }])
  expect(await house.sessionsOf(after)).toMatchObject([{ ended_at: null }])
  // An hour late it closes no more than in time.
  house.clock.advance({ hours: 1 })
  await house.client.askWith(on)
  expect(await house.sessionsOf(after)).toMatchObject([{ ended_at: null }])
})
