import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAsset } from '@masthead/contract/assets/operations'
import { discardQuarantine, listQuarantine, matchQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { quarantineReadings } from '../../metering/quarantine.ts'
import { openMeteredHouse, packetOf, readingOf, type MeteredHouse } from '../../metering/test-network.ts'
import { addQuarantined, addStock, enterStaff, type Staff } from '../test-backoffice.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const reason = 'A batch that was never loaded'
const openOnes = async (search: string) => (await staff.call(listQuarantine, { query: { search } })).body.items

test('however many packets a session sends, it has one row: how many, when first and last', async () => {
  const imsi = '901280000000001'
  const times: string[] = []
  for (const time of [60, 120, 180]) {
    times.push(house.clock.now().toISOString())
    await house.client.account(packetOf({ imsi } as never, 'interim', { id: 'many', time, up: time, down: 0 }))
    house.clock.advance({ minutes: 1 })
  }
  expect(await openOnes(imsi)).toMatchObject([
    { acct_session_id: 'many', packets: 3, bytes_up: 180, first_at: times[0], last_at: times[2] },
  ])
})

test('a row that an earlier version left is read, matched and counted, or discarded', async () => {
  const imsi = '901280000000002'
  for (const session of ['old1', 'old2']) await addQuarantined(house, house.gateway_id, { imsi, session, up: 10, down: 20 })
  // Until 0022 a packet had these fields, and a row no kind.
  await sql`update quarantine set last_packet = last_packet - 'is_timed' - 'heard_from' || '{"whole_gateway": false}' where identity = ${imsi}`.execute(
    house.db
  )
  const rows = await openOnes(imsi)
  expect(rows).toMatchObject([
    { kind: 'unknown', packets: 1, bytes_up: 10, counted_by: null },
    { kind: 'unknown', packets: 1 },
  ])
  const [kept, gone] = [rows[0]!, rows[1]!]
  const discarded = await staff.call(discardQuarantine, { params: { quarantine_id: gone.id }, body: { all_sessions: false, reason } })
  expect(discarded.body).toEqual({ sessions: 1 })
  const asset = await addStock(house, house.owner)
  const body = { sim: asset.iccid, reason }
  expect((await staff.call(matchQuarantine, { params: { quarantine_id: kept.id }, body })).body).toMatchObject({ sessions: 1, bytes: 30 })
  await house.settle()
  const { sim } = (await house.owner.call(getAsset, { params: { asset_id: asset.asset_id } })).body
  expect(sim!.usage.period_bytes).toBe(30)
})

test('sessions of many days are counted together, also of days that have no records yet', async () => {
  await using own = await openMeteredHouse()
  const imsi = '901280000000009'
  const row = (ago: number) => ({
    ...readingOf(own, { imsi }, { acct_session_id: `day${ago}`, kind: 'stop', counter_up: 10 }),
    event_at: own.clock.now().getTime() - ago * 86_400_000,
    received_at: own.clock.now().getTime() - ago * 86_400_000,
  })
  await own.db.transaction().execute((tx) => quarantineReadings(tx, [12, 10, 8, 6].map(row)))
  const asset = await addStock(own, own.owner)
  const [first] = await own.db.selectFrom('quarantine').select('id').execute()
  const matched = await (
    await enterStaff(own)
  ).call(matchQuarantine, { params: { quarantine_id: first!.id }, body: { sim: asset.iccid, reason } })
  expect(matched.body).toMatchObject({ sessions: 4 })
  await own.settle()
  expect((await own.sessionsOf({ id: asset.sim_id })).map(({ bytes_up }) => bytes_up)).toEqual([10, 10, 10, 10])
  const left = own.db.selectFrom('quarantine').select('id').where('counted_at', 'is', null)
  expect(await left.execute()).toEqual([])
})
