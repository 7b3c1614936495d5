import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAsset } from '@masthead/contract/assets/operations'
import {
  discardQuarantine,
  getQuarantineTotals,
  listQuarantine,
  matchQuarantine,
} from '@masthead/contract/backoffice/quarantine-operations'
import { quarantineReadings } from '../../metering/quarantine.ts'
import { expectConsistent, openMeteredHouse, packetOf, readingOf, type MeteredHouse } from '../../metering/test-network.ts'
import { countQuarantined } from './count-quarantined.ts'
import { addQuarantined, addStock, enterStaff, type Staff } from '../test-backoffice.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const reason = 'A batch that was never loaded'
let imsis = 0
const newImsi = () => `90128${String(++imsis).padStart(10, '0')}`
const usedBy = async (asset: { asset_id: string }) =>
  (await house.owner.call(getAsset, { params: { asset_id: asset.asset_id } })).body.sim!.usage.period_bytes
const notCountable = (words: string) => ({
  status: 409,
  body: { code: 'quarantine_not_countable', detail: expect.stringContaining(words) as string },
})
const openOnes = async (search: string) => (await staff.call(listQuarantine, { query: { search } })).body.items

/** Usage of an IMSI that nobody knows, reported by a real gateway over RADIUS. */
async function report(imsi: string, id: string, kind: 'start' | 'interim' | 'stop', octets: { time: number; up: number; down: number }) {
  await house.client.account(packetOf({ imsi } as never, kind, { id, ...octets }))
}

test('what a gateway reported of an unknown number is counted for the SIM it is matched to, once', async () => {
  const imsi = newImsi()
  await report(imsi, 'm1', 'interim', { time: 60, up: 100, down: 900 })
  await report(imsi, 'm1', 'stop', { time: 120, up: 300, down: 2700 })
  await report(imsi, 'm2', 'stop', { time: 30, up: 10, down: 20 })
  const rows = await openOnes(imsi)
  expect(rows.map((row) => [row.acct_session_id, row.bytes_up + row.bytes_down, row.why]).toSorted()).toEqual([
    ['m1', 3000, 'No SIM has this number'],
    ['m2', 30, 'No SIM has this number'],
  ])
  const asset = await addStock(house, house.owner)
  // Its sessions began before that: staff say all the same that they are this SIM's.
  await house.db.updateTable('sim').set({ created_at: house.clock.now() }).where('id', '=', asset.sim_id).execute()
  const answer = await staff.call(matchQuarantine, { params: { quarantine_id: rows[0]!.id }, body: { sim: asset.iccid, reason } })
  expect(answer.body).toEqual({ sessions: 2, bytes: 3030, account: house.owner.email, asset_name: asset.serial })
  await house.settle()
  expect(await usedBy(asset)).toBe(3030)
  // The job again, after it broke off or by another worker.
  const ids = rows.map((row) => row.id)
  await house.db.updateTable('quarantine').set({ counted_at: null }).where('id', 'in', ids).execute()
  await countQuarantined(house.app, ids)
  expect(await usedBy(asset)).toBe(3030)
  expect(
    (await house.sessionsOf({ id: asset.sim_id }))
      .map((row) => [row.acct_session_id, row.bytes_up + row.bytes_down, row.ended_at !== null])
      .toSorted()
  ).toEqual([
    ['m1', 3000, true],
    ['m2', 30, true],
  ])
  expect((await house.events(house.owner.account_id)).find(({ name }) => name === 'backoffice.usage_matched')!.detail).toMatchObject({
    identity: imsi,
    sessions: 2,
    bytes: 3030,
    reason,
  })
  expect((await staff.call(listQuarantine, { query: { state: 'matched', search: imsi } })).body.items).toMatchObject([
    { matched: { asset_id: asset.asset_id }, resolved_by: staff.email },
    { matched: { asset_id: asset.asset_id } },
  ])
})

test('a session that goes on is counted from where it stood; its next ones are known by the IMSI that was added', async () => {
  const imsi = newImsi()
  await report(imsi, 'g1', 'interim', { time: 60, up: 0, down: 1000 })
  const [row] = await openOnes(imsi)
  const asset = await addStock(house, house.owner)
  await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.serial, add_imsi: true, reason } })
  await house.settle()
  await report(imsi, 'g1', 'interim', { time: 120, up: 0, down: 1500 })
  await report(imsi, 'g2', 'stop', { time: 10, up: 0, down: 7 })
  expect(await usedBy(asset)).toBe(1507)
  expect(await openOnes(imsi)).toEqual([])
})

test('the stop that comes into quarantine when its session was matched and counted is counted', async () => {
  const imsi = newImsi()
  await report(imsi, 'race', 'interim', { time: 60, up: 0, down: 1000 })
  const [row] = await openOnes(imsi)
  const asset = await addStock(house, house.owner)
  await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.iccid, reason } })
  await house.settle()
  expect(await usedBy(asset)).toBe(1000)
  // Its batch had looked for the session before that, and waited for a lock.
  const packet = { acct_session_id: 'race', nas: 'pgw-1', session_time: 90, counter_up: 0, counter_down: 1600, end_cause: 'User request' }
  const stop = { ...readingOf(house, { imsi }, packet), kind: 'stop' as const }
  await house.db.transaction().execute((tx) => quarantineReadings(tx, [stop]))
  await house.settle()
  expect(await usedBy(asset)).toBe(1600)
  expect(await house.sessionsOf({ id: asset.sim_id })).toMatchObject([{ end_cause: 'User request' }])
})

test('a session under the id of one of another SIM, over before it began, is counted for the SIM it is matched to', async () => {
  const [before, asset] = [await house.newSim(), await addStock(house, house.owner)]
  const at = Math.floor(house.clock.now().getTime() / 1000) - 3600
  await house.client.account(packetOf(before, 'stop', { id: 'again', time: 600, up: 100, down: 0, at }))
  const imsi = newImsi()
  await house.client.account(packetOf({ ...before, imsi }, 'start', { id: 'again', at: at + 60 }))
  await house.client.account(packetOf({ ...before, imsi }, 'stop', { id: 'again', time: 30, up: 4000, down: 0, at: at + 90 }))
  const [row] = await openOnes(imsi)
  await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.iccid, reason } })
  await house.settle()
  expect(await usedBy(asset)).toBe(4000)
  expect(await house.counter(before)).toMatchObject({ bytes_up: 100 })
})

test('a number matched without adding it counts once, though its gateway uses the id of a session again', async () => {
  const imsi = newImsi()
  const asset = await addStock(house, house.owner)
  const at = Math.floor(house.clock.now().getTime() / 1000) - 3600
  const told = (kind: 'start' | 'interim' | 'stop', after: number, more: object = {}) =>
    house.client.account(packetOf({ imsi } as never, kind, { id: 'round', at: at + after, ...more }))
  await told('stop', 60, { time: 60, up: 5000, down: 0 })
  const [row] = await openOnes(imsi)
  await staff.call(matchQuarantine, { params: { quarantine_id: row!.id }, body: { sim: asset.iccid, reason } })
  await house.settle()
  await told('start', 100)
  await house.settle()
  await told('interim', 160, { time: 60, up: 1000, down: 0 })
  await house.settle()
  expect(await usedBy(asset)).toBe(6000)
})

test('discarded usage is counted for nobody, and is dealt with once', async () => {
  const imsi = newImsi()
  await report(imsi, 'd1', 'stop', { time: 60, up: 0, down: 1000 })
  const [row] = await openOnes(imsi)
  const params = { quarantine_id: row!.id }
  const before = (await staff.call(getQuarantineTotals)).body
  expect(await staff.call(discardQuarantine, { params, body: { reason: '' } })).toMatchObject({ status: 400 })
  expect((await staff.call(discardQuarantine, { params, body: { reason } })).body).toEqual({ sessions: 1 })
  const after = (await staff.call(getQuarantineTotals)).body
  expect([before.open - after.open, before.bytes - after.bytes, after.discarded - before.discarded]).toEqual([1, 1000, 1])
  for (const again of [
    await staff.call(discardQuarantine, { params, body: { reason } }),
    await staff.call(matchQuarantine, { params, body: { sim: '8900000000000000001', reason } }),
  ])
    expect(again).toMatchObject({ status: 409, body: { code: 'quarantine_resolved' } })
})

test('what cannot be matched says why, and changes nothing', async () => {
  const asset = await addStock(house, house.owner)
  const other = await house.newSim()
  const match = (quarantine_id: string, body: object) =>
    staff.call(matchQuarantine, { params: { quarantine_id }, body: { reason, ...body } as never })

  const unknown = await addQuarantined(house, house.gateway_id)
  expect(await match(unknown, { sim: '8999999999999999999' })).toMatchObject({
    status: 400,
    body: { code: 'sim_unknown', fields: { sim: expect.stringContaining('8999999999999999999') } },
  })
  expect(await match('qua_nothing', { sim: asset.iccid })).toMatchObject({ status: 404, body: { code: 'not_found' } })

  const unstorable = await addQuarantined(house, house.gateway_id)
  await house.db.updateTable('quarantine').set({ kind: 'unstorable' }).where('id', '=', unstorable).execute()
  expect(await match(unstorable, { sim: asset.iccid })).toMatchObject(notCountable('holds no usage'))

  // Meanwhile the session was counted for somebody: its number was registered, and the gateway reported on.
  await house.client.account(packetOf(other, 'interim', { id: 'taken', time: 10, down: 5, nas_identifier: `pgw-${house.gateway_id}` }))
  const taken = await addQuarantined(house, house.gateway_id, { session: 'taken' })
  expect(await match(taken, { sim: asset.iccid })).toMatchObject({ status: 409, body: { code: 'session_of_another' } })

  const theirs = await addQuarantined(house, house.gateway_id, { imsi: (await addStock(house, null)).imsi })
  expect(await match(theirs, { sim: asset.iccid, add_imsi: true })).toMatchObject({ status: 409, body: { code: 'imsi_taken' } })
  expect(await usedBy(asset)).toBe(0)
  expect((await staff.call(getQuarantineTotals)).body.open).toBeGreaterThanOrEqual(4)
})

test('only who manages networks looks into it', async () => {
  const plain = await enterStaff(house, ['backoffice', 'audit_logs'])
  for (const op of [listQuarantine, getQuarantineTotals])
    expect(await plain.call(op)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('what is matched after the records of its day were to go is counted, though their drop was broken off', async () => {
  await using own = await openMeteredHouse()
  const imsi = newImsi()
  await own.client.account(packetOf({ imsi } as never, 'stop', { id: 'old', time: 60, up: 100, down: 900 }))
  const part = `usage_record_${own.clock.now().toISOString().slice(0, 10).replaceAll('-', '')}`
  const [reader, broken] = [await own.app.pool.connect(), await own.app.pool.connect()]
  await reader.query('begin')
  await reader.query('select count(*) from usage_record')
  await broken.query('set statement_timeout = 100')
  await expect(broken.query(`alter table usage_record detach partition ${part} concurrently`)).rejects.toThrow('timeout')
  broken.release(true)
  await reader.query('commit')
  reader.release()
  own.clock.advance({ days: own.app.config.recordRetentionDays + 2 })
  const asset = await addStock(own, own.owner)
  const { id } = await own.db.selectFrom('quarantine').select('id').where('imsi', '=', imsi).executeTakeFirstOrThrow()
  const body = { sim: asset.iccid, reason }
  expect((await (await enterStaff(own)).call(matchQuarantine, { params: { quarantine_id: id }, body })).status).toBe(200)
  await own.settle()
  expect((await own.sessionsOf({ id: asset.sim_id })).map(({ bytes_up, bytes_down }) => bytes_up + bytes_down)).toEqual([1000])
})

/** A session of a known SIM with a packet that reported more than can be; the next ones go on from there. */
async function reportOdd(asset: { imsi: string }, id: string) {
  const imsi = asset.imsi
  await report(imsi, id, 'start', { time: 0, up: 0, down: 0 })
  await house.client.account(packetOf({ imsi } as never, 'interim', { id, time: 60, up: 0, down: 5, acct_output_gigawords: 10 }))
  return (await openOnes(imsi)).find((row) => row.acct_session_id === id)!
}
const tenGigawords = 10 * 2 ** 32

test('what no link carries is counted when staff accept it, and its session goes on from there', async () => {
  const asset = await addStock(house, house.owner)
  const row = await reportOdd(asset, 'odd')
  expect(row).toMatchObject({ kind: 'uncounted', bytes_down: tenGigawords + 5, why: expect.stringContaining('than any link carries') })
  expect(await usedBy(asset)).toBe(0)
  const match = (sim: string) => staff.call(matchQuarantine, { params: { quarantine_id: row.id }, body: { sim, reason } })
  expect(await match((await addStock(house, house.owner)).iccid)).toMatchObject({ status: 409, body: { code: 'session_of_another' } })
  expect((await match(asset.imsi)).body).toMatchObject({ sessions: 1, bytes: tenGigawords + 5 })
  expect(await usedBy(asset)).toBe(tenGigawords + 5)
  await house.client.account(packetOf(asset as never, 'interim', { id: 'odd', time: 120, up: 0, down: 9, acct_output_gigawords: 10 }))
  expect(await usedBy(asset)).toBe(tenGigawords + 9)
  await expectConsistent(house)
  expect(await match(asset.imsi)).toMatchObject({ status: 409, body: { code: 'quarantine_resolved' } })
})

test('also once its counters have become the base; and not when the next report denied it', async () => {
  const [goesOn, garbled] = [await addStock(house, house.owner), await addStock(house, house.owner)]
  const rows = [await reportOdd(goesOn, 'base'), await reportOdd(garbled, 'garbled')]
  await house.client.account(packetOf(goesOn as never, 'interim', { id: 'base', time: 120, up: 0, down: 9, acct_output_gigawords: 10 }))
  await house.client.account(packetOf(garbled as never, 'interim', { id: 'garbled', time: 120, up: 0, down: 9, acct_output_gigawords: 0 }))
  expect([await usedBy(goesOn), await usedBy(garbled)]).toEqual([4, 9])
  const bytes = async (i: number, { iccid }: { iccid: string }) =>
    (await staff.call(matchQuarantine, { params: { quarantine_id: rows[i]!.id }, body: { sim: iccid, reason } })).body.bytes
  expect([await bytes(0, goesOn), await bytes(1, garbled)]).toEqual([tenGigawords + 5, 0])
  expect([await usedBy(goesOn), await usedBy(garbled)]).toEqual([tenGigawords + 9, 9])
})

test('what was discarded is not counted with what is accepted later, nor is a petabyte, nor what another gateway counts', async () => {
  const asset = await addStock(house, house.owner)
  const first = await reportOdd(asset, 'twice')
  const go = (time: number, gigawords: number) =>
    house.client.account(packetOf(asset as never, 'interim', { id: 'twice', time, up: 0, down: 9, acct_output_gigawords: gigawords }))
  await go(120, 10)
  await staff.call(discardQuarantine, { params: { quarantine_id: first.id }, body: { reason } })
  await go(180, 30)
  await go(240, 30)
  const [again] = await openOnes(asset.imsi)
  expect(again).toMatchObject({ id: first.id, bytes_down: 2 * tenGigawords })
  const match = (sim: string) => staff.call(matchQuarantine, { params: { quarantine_id: again!.id }, body: { sim, reason } })
  expect((await match(asset.iccid)).body.bytes).toBe(2 * tenGigawords)
  expect(await usedBy(asset)).toBe(2 * tenGigawords + 4)
  await go(300, 2_000_000)
  expect(await match(asset.iccid)).toMatchObject(notCountable('petabyte'))
  const elsewhere = await addQuarantined(house, house.gateway_id)
  await house.db.updateTable('quarantine').set({ kind: 'elsewhere' }).where('id', '=', elsewhere).execute()
  const refused = await staff.call(matchQuarantine, { params: { quarantine_id: elsewhere }, body: { sim: asset.iccid, reason } })
  expect(refused).toMatchObject(notCountable('join them'))
})

test('what was discarded before its counters became the base is not accepted later either', async () => {
  const asset = await addStock(house, house.owner)
  const first = await reportOdd(asset, 'once')
  await staff.call(discardQuarantine, { params: { quarantine_id: first.id }, body: { reason } })
  const go = (time: number, gigawords: number) =>
    house.client.account(packetOf(asset as never, 'interim', { id: 'once', time, up: 0, down: 5, acct_output_gigawords: gigawords }))
  await go(120, 10)
  await go(180, 30)
  const { body } = await staff.call(matchQuarantine, { params: { quarantine_id: first.id }, body: { sim: asset.iccid, reason } })
  expect(body.bytes).toBe(2 * tenGigawords)
  expect(await usedBy(asset)).toBe(2 * tenGigawords)
})

test('no more is accepted than the row shows, though the session reported more under another number', async () => {
  const asset = await addStock(house, house.owner)
  const row = await reportOdd(asset, 'two-names')
  const { imsi: _, ...nameless } = packetOf(asset as never, 'interim', { id: 'two-names', time: 120, up: 0, down: 9 })
  await house.client.account({ ...nameless, acct_output_gigawords: 2_000_000 })
  const unnamed = (await openOnes('none')).find(({ acct_session_id }) => acct_session_id === 'two-names')
  expect(unnamed).toMatchObject({ kind: 'uncounted', session_sim: asset.iccid })
  const match = () => staff.call(matchQuarantine, { params: { quarantine_id: row.id }, body: { sim: asset.iccid, reason } })
  expect(await match()).toMatchObject(notCountable('two-names has reported more'))
  expect(await usedBy(asset)).toBe(0)
  // The next report denies it: what the row shows is more than what is left.
  await report(asset.imsi, 'two-names', 'interim', { time: 180, up: 0, down: 50 })
  expect((await match()).body.bytes).toBe(0)
  expect(await usedBy(asset)).toBe(50)
})
