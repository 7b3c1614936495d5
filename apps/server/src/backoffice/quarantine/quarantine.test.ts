import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAsset } from '@masthead/contract/assets/operations'
import { discardQuarantine, listQuarantine, matchQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { quarantineReadings } from '../../metering/quarantine.ts'
import type { SessionReading } from '../../metering/reading.ts'
import { openMeteredHouse, packetOf, readingOf, stored, type MeteredHouse } from '../../metering/test-network.ts'
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

test('an id that a gateway uses again has a row for each use, and each counts', async () => {
  const [imsi, asset] = ['901280000000009', await addStock(house, house.owner)]
  const noon = Math.floor(house.clock.now().getTime() / 1000) - 7200
  const report = (kind: 'start' | 'interim' | 'stop', after: number, time: number, down: number, session_id = 'twice') =>
    house.client.account(packetOf({ imsi } as never, kind, { id: session_id, at: noon + after, time, up: 0, down }))
  await report('interim', 60, 60, 5000)
  await report('stop', 120, 120, 6000)
  await report('start', 200, 0, 0)
  await report('interim', 260, 60, 1000)
  // Of the first use, overtaken by all that.
  await report('interim', 90, 90, 5500)
  // Without a start or a stop: its gateway began anew.
  await report('interim', 900, 30, 10)
  const rows = await openOnes(imsi)
  expect(rows.map(({ packets, bytes_down }) => [packets, bytes_down]).toSorted()).toEqual([
    [1, 10],
    [2, 1000],
    [3, 6000],
  ])
  const body = { sim: asset.iccid, all_sessions: true, reason }
  expect((await staff.call(matchQuarantine, { params: { quarantine_id: rows[0]!.id }, body })).body).toMatchObject({ bytes: 7010 })
  await house.settle()
  const used = async () => (await house.owner.call(getAsset, { params: { asset_id: asset.asset_id } })).body.sim!.usage.period_bytes
  expect(await used()).toBe(7010)
  // The SIM it was matched to stays known.
  await report('stop', 1000, 130, 30)
  await report('start', 1100, 0, 0)
  await report('stop', 1200, 100, 400)
  await house.settle()
  expect(await used()).toBe(7430)
})

test('another number than its session began with goes on to count once staff have matched it to the session’s SIM', async () => {
  const [imsi, asset] = ['901280000000017', await addStock(house, house.owner)]
  const report = (named: string, time: number, down: number) =>
    house.client.account(packetOf({ imsi: named } as never, 'interim', { id: 'two numbers', time, up: 0, down }))
  const used = async () => (await house.owner.call(getAsset, { params: { asset_id: asset.asset_id } })).body.sim!.usage.period_bytes
  await report(asset.imsi, 60, 1000)
  await report(imsi, 120, 3000)
  const [row] = await openOnes(imsi)
  expect(row).toMatchObject({ kind: 'unknown', why: expect.stringContaining('another SIM’s'), cannot_match: null, only_sim: asset.iccid })
  const [params, other] = [{ quarantine_id: row!.id }, await addStock(house, house.owner)]
  const refused = await staff.call(matchQuarantine, { params, body: { sim: other.iccid, reason } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'session_of_another', detail: expect.stringContaining(asset.iccid) } })
  await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.iccid, reason } })
  await house.settle()
  expect(await used()).toBe(3000)
  await report(imsi, 180, 4500)
  await house.settle()
  expect([await used(), await openOnes(imsi)]).toEqual([4500, []])
})

test('what names another registered SIM than the one whose session has its id can be counted for neither of them', async () => {
  const [asset, other] = [await addStock(house, house.owner), await addStock(house, house.owner)]
  const now = Math.floor(house.clock.now().getTime() / 1000)
  const report = ({ imsi }: { imsi: string }, time: number, at: number) =>
    house.client.account(packetOf({ imsi } as never, 'interim', { id: 'given twice', time, up: 0, down: 1000, at }))
  await report(asset, 600, now)
  await report(other, 630, now + 30)
  const [row] = await openOnes(other.imsi)
  expect(row).toMatchObject({ cannot_match: expect.stringMatching(new RegExp(`${asset.iccid}.*${other.iccid}`)), only_sim: asset.iccid })
  for (const { iccid: sim } of [asset, other]) {
    const refused = await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim, reason } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'session_of_another', detail: row!.cannot_match } })
  }
  // Had that session been over before this one began, any SIM could have it.
  const over = { ended_at: new Date((now - 900) * 1000) }
  await house.db.updateTable('data_session').set(over).where('acct_session_id', '=', 'given twice').execute()
  expect(await openOnes(other.imsi)).toMatchObject([{ cannot_match: null, only_sim: null }])
})

test('what names a SIM of stock is not counted for the one whose session has its id', async () => {
  const [asset, spare] = [await addStock(house, house.owner), await addStock(house, null)]
  const report = ({ imsi }: { imsi: string }, time: number) =>
    house.client.account(packetOf({ imsi } as never, 'interim', { id: 'of a spare', time, up: 0, down: 1000 }))
  await report(asset, 60)
  await report(spare, 120)
  const [row] = await openOnes(spare.imsi)
  expect(row).toMatchObject({ kind: 'unknown', cannot_match: expect.stringMatching(new RegExp(`${asset.iccid}.*${spare.iccid}`)) })
  const refused = await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.iccid, reason } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'session_of_another', detail: row!.cannot_match } })
})

test('what is set aside in spite of what staff matched is theirs to decide anew, and is not counted again and again', async () => {
  const [imsi, asset, other] = ['901280000000018', await addStock(house, house.owner), await addStock(house, house.owner)]
  let began = Math.floor(house.clock.now().getTime() / 1000) - 7200
  const report = (named: string, kind: 'start' | 'interim' | 'stop', time: number, down: number) =>
    house.client.account(packetOf({ imsi: named } as never, kind, { id: 'of two SIMs', time, up: 0, down, at: began + time }))
  await report(imsi, 'stop', 60, 1000)
  const [row] = await openOnes(imsi)
  const body = { sim: asset.iccid, add_imsi: true, reason }
  expect((await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body })).status).toBe(200)
  await house.db.deleteFrom('sim_imsi').where('imsi', '=', asset.imsi).execute()
  await house.settle()
  // The id is another SIM's by now.
  began += 3600
  await report(other.imsi, 'start', 0, 0)
  await report(imsi, 'interim', 50, 5000)
  await house.settle()
  const theirs = { why: expect.stringContaining('another SIM’s'), cannot_match: expect.stringContaining(other.iccid) }
  expect(await openOnes(imsi)).toMatchObject([{ bytes_down: 5000, ...theirs }])
  const { body: kept } = await house.owner.call(getAsset, { params: { asset_id: other.asset_id } })
  expect(kept.sim!.usage.period_bytes).toBe(0)
})

test('what was left out of a session stays to be accepted when its id is used again', async () => {
  const sim = await house.newSim()
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', sim.id).execute()
  const report = async (kind: 'start' | 'interim' | 'stop', session_time: number, counter_up: number) => {
    await stored(house, readingOf(house, sim, { kind, acct_session_id: 'left out', session_time, counter_up }))
    house.clock.advance({ minutes: 1 })
  }
  await report('interim', 600, 5000) // it began before the SIM was registered
  await report('stop', 660, 5100)
  await report('start', 0, 0)
  await report('interim', 60, 60e9)
  const rows = (await openOnes(sim.imsi)).map(({ kind, bytes_up }) => [kind, bytes_up])
  expect(rows).toEqual([
    ['uncounted', 60e9],
    ['uncounted', 5000],
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
  await own.db.transaction().execute((tx) => quarantineReadings(tx, [12, 10, 8, 6].map(row) as SessionReading[]))
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

test('of packets that name no number, which are of many SIMs, one is discarded at a time', async () => {
  const ids = ['nameless-a', 'nameless-b']
  for (const id of ids) {
    const asset = await addStock(house, house.owner)
    await house.client.account(packetOf(asset as never, 'start', { id, time: 0, up: 0, down: 0 }))
    const { imsi: _, ...nameless } = packetOf(asset as never, 'interim', { id, time: 60, up: 0, down: 5 })
    await house.client.account({ ...nameless, acct_output_gigawords: 10 })
  }
  const rows = (await openOnes('none')).filter(({ acct_session_id }) => ids.includes(acct_session_id))
  expect(rows.map(({ kind }) => kind)).toEqual(['uncounted', 'uncounted'])
  const params = { quarantine_id: rows[0]!.id }
  expect((await staff.call(discardQuarantine, { params, body: { all_sessions: true, reason } })).body).toEqual({ sessions: 1 })
  const left = (await openOnes('none')).filter(({ acct_session_id }) => ids.includes(acct_session_id))
  expect(left.map(({ id }) => id)).toEqual([rows[1]!.id])
})
