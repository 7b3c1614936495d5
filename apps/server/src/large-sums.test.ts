import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { exportAssets, getAsset, getSimUsages, listAssets, listAssetSessions } from '@masthead/contract/assets/operations'
import { getCustomer, listAccounts, listCustomerAssets } from '@masthead/contract/backoffice/account-operations'
import { getHome, getStaffAsset } from '@masthead/contract/backoffice/home-operations'
import { getQuarantineTotals, listQuarantine, matchQuarantine } from '@masthead/contract/backoffice/quarantine-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { sessionCut } from '@masthead/contract/assets/events'
import { getOverview } from '@masthead/contract/overview/operations'
import { overviewRanges, type OverviewRange } from '@masthead/contract/overview/range'
import { exportTotalUsage, getTotalUsage } from '@masthead/contract/usage/operations'
import { usageGroupings, type UsageGrouping } from '@masthead/contract/usage/usage'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addSession, list, putAsset, putLimit } from './assets/test-stock.ts'
import { addQuarantined, addTestGateway, enterStaff, type Staff } from './backoffice/test-backoffice.ts'
import { systemActor } from './kernel/app.ts'
import { record } from './kernel/record.ts'
import { clearDataLimits } from './metering/data-limit.ts'
import { ensurePartitions } from './usage/roll-ups/record-keeping.ts'
import { rollUpAll } from './usage/roll-ups/test-roll-up-all.ts'
import { addNetworks } from './usage/test-usage.ts'

// A sum is exact in the database however large it is, and a reply says the nearest number there is, and never fails for it (edges §3).
// One row of 2^53 + 1, which JSON cannot say, and rows near 2^63, of which two make more than a bigint holds.
const beyondJson = 2n ** 53n + 1n
const nearMost = 2n ** 63n - 1001n
const hours = ['2026-03-02T05:00:00Z', '2026-03-02T06:00:00Z', '2026-03-18T10:00:00Z']

let house: House
let owner: Person
let staff: Staff
const assets: Asset[] = []

beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-03-18T10:20:30Z')
  owner = await house.newOwner()
  staff = await enterStaff(house)
  await addNetworks(house)
  for (const [i, bytes] of [beyondJson, nearMost, nearMost - 1n].entries()) await use(await addAsset(i), bytes)
  await putLimit(house.db, { account_id: owner.account_id, sim_id: assets[0]!.sim!.id, bytes: 2 ** 62 })
})
afterAll(() => house[Symbol.asyncDispose]())

async function addAsset(number: number): Promise<Asset> {
  const { id } = await putAsset(house, owner, {
    serial: `LARGE-${number}`,
    iccid: `894450000099000001${number}`,
    imsi: `26209000000000${number}`,
    state: 'active',
  })
  const { body } = await owner.call(getAsset, { params: { asset_id: id } })
  assets.push(body)
  return body
}

/** So many bytes each way in each hour, closed and open, and in the counters: as if a gateway had reported them. */
async function use({ sim }: Asset, bytes: bigint) {
  const { account_id } = owner
  const amounts = sql`${bytes}::bigint, ${bytes}::bigint`
  for (const hour of hours)
    await sql`insert into usage_hour values (${account_id}, ${sim!.id}, ${hour}, '262-01', 'LTE', ${amounts})`.execute(house.db)
  await sql`insert into usage_open_hour values (${account_id}, ${sim!.id}, ${hours[2]}, '262-01', 'LTE', ${amounts})`.execute(house.db)
  for (const day of ['2026-03-02', '2026-03-18'])
    await sql`insert into usage_day values (${account_id}, ${sim!.id}, ${day}, '262-01', 'LTE', ${amounts})`.execute(house.db)
  await sql`insert into usage_month values (${account_id}, ${sim!.id}, '2026-03-01', '262-01', 'LTE', ${amounts})`.execute(house.db)
  for (const hour of hours)
    await sql`insert into account_usage_hour values (${account_id}, ${hour}, '262-01', 'LTE', ${amounts})
      on conflict (account_id, hour, mccmnc, rat) do update set bytes_up = ${2n ** 63n - 1n}, bytes_down = ${2n ** 63n - 1n}`.execute(
      house.db
    )
  await sql`insert into sim_counter values (${account_id}, ${sim!.id}, '2026-03-01', ${amounts}, ${amounts}, ${house.clock.now()})`.execute(
    house.db
  )
}

const params = (asset: Asset) => ({ asset_id: asset.id })
/** What a number reads as in a reply. */
const nearest = (bytes: bigint) => Number(bytes)

async function reply<Op extends Parameters<Person['call']>[0]>(who: Pick<Person, 'call'>, op: Op, input: object = {}) {
  const { status, body, text } = await who.call(op, input as never)
  expect(status, `${op.name} ${JSON.stringify(input)}: ${text}`).toBe(200)
  return body
}

test('one asset, its usage and its sessions', async () => {
  for (const [asset, bytes] of [
    [assets[0]!, beyondJson],
    [assets[1]!, nearMost],
  ] as const) {
    await sql`update data_session set ended_at = ${house.clock.now()}`.execute(house.db)
    const { id } = await addSession(house, asset, owner.account_id)
    await sql`update data_session set bytes_up = ${bytes}, bytes_down = ${bytes} where id = ${id}`.execute(house.db)
    const { usage, session } = (await reply(owner, getAsset, { params: params(asset) })).sim!
    expect(usage).toMatchObject({ bytes_up: nearest(bytes), bytes_down: nearest(bytes), period_bytes: nearest(2n * bytes) })
    expect(session!.bytes_up).toBe(nearest(bytes))
    expect((await reply(owner, listAssetSessions, { params: params(asset) })).items[0]!.bytes_down).toBe(nearest(bytes))
    for (const interval of ['hour', 'day', 'month'] as const) {
      const query = { interval, start: '2026-03-01T00:00:00Z' }
      const usages = await reply(owner, getSimUsages, { params: params(asset), query })
      expect(Math.max(...usages.items.map(({ bytes_up }) => bytes_up))).toBeGreaterThanOrEqual(nearest(bytes))
      expect(usages.bytes_up).toBeGreaterThan(nearest(bytes))
    }
    const shown = await reply(staff, getStaffAsset, { params: { any_asset_id: asset.id } })
    expect(shown.asset.sim!.usage.period_bytes).toBe(nearest(2n * bytes))
  }
})

test('lists in the order of usage, page by page in either direction, and what is near its limit', async () => {
  for (const [sort, order] of [
    ['-usage', [1, 2, 0]],
    ['usage', [0, 2, 1]],
  ] as const) {
    const seen: string[] = []
    for (let after: string | undefined; seen.length < 9;) {
      const page = await list(owner, { sort, page_size: '1', ...(after && { after }) } as never)
      seen.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      after = page.next
    }
    expect(seen).toEqual(order.map((i) => assets[i]!.id))
  }
  // 2^54 + 2 of 2^62 is far from it; near 2^63 is beyond every limit.
  expect((await reply(owner, listAssets, { query: { attention: 'near_limit' } })).items).toEqual([])
  await putLimit(house.db, { account_id: owner.account_id, sim_id: assets[1]!.sim!.id, bytes: 2 ** 63 - 1024 })
  expect((await reply(owner, listAssets, { query: { attention: 'near_limit' } })).total).toBe(0)
  expect((await owner.call(exportAssets)).text.trim().split('\r\n')).toHaveLength(4)
  expect((await reply(staff, listCustomerAssets, { params: { email: owner.email } })).total).toBe(3)
})

test('the overview over every range', async () => {
  for (const range of Object.keys(overviewRanges) as OverviewRange[]) {
    const { usage, top_consumers } = await reply(owner, getOverview, { query: { range } })
    expect(usage.bytes_up).toBeGreaterThanOrEqual(2 ** 63)
    expect(top_consumers[0]!.bytes).toBeGreaterThan(2 ** 63)
  }
})

test('total usage by every group, interval and page, and as CSV', async () => {
  for (const group_by of Object.keys(usageGroupings) as UsageGrouping[])
    for (const interval of ['hour', 'day', 'month'] as const) {
      const keys: (string | null)[] = []
      for (let after: string | undefined; keys.length < 9;) {
        const query = { group_by, interval, page_size: '1', ...(after && { after }) }
        const page = await reply(owner, getTotalUsage, { query })
        expect(page.bytes_up).toBeGreaterThan(2 ** 63)
        keys.push(...page.items.map(({ key }) => key))
        if (page.next === null) break
        after = page.next
      }
      expect([group_by, new Set(keys).size, keys.length]).toEqual([group_by, keys.length, group_by === 'sim' ? 3 : 1])
    }
  for (const group_by of Object.keys(usageGroupings)) {
    const { status, text } = await owner.call(exportTotalUsage, { query: { group_by } as never })
    expect([group_by, status, text.trim().split('\r\n').length]).toEqual([group_by, 200, group_by === 'sim' ? 4 : 2])
  }
})

test('what staff see of accounts and of unmatched usage', async () => {
  const { bytes_this_month } = await reply(staff, getCustomer, { params: { email: owner.email } })
  expect(bytes_this_month).toBeGreaterThan(2 ** 64)
  await reply(staff, getHome)
  await reply(staff, listAccounts)
  const gateway_id = await addTestGateway(house)
  const id = await addQuarantined(house, gateway_id, { imsi: '999700000000001', session: 'one' })
  await addQuarantined(house, gateway_id, { imsi: '999700000000001', session: 'two' })
  await sql`update quarantine set counter_up = ${nearMost}, counter_down = ${nearMost}`.execute(house.db)
  expect((await reply(staff, listQuarantine)).items[0]!.bytes_up).toBe(nearest(nearMost))
  expect((await reply(staff, getQuarantineTotals)).bytes).toBe(nearest(4n * nearMost))
  // No session uses that much: it is not counted.
  const body = { sim: assets[0]!.sim!.iccid, reason: 'A test' }
  expect(await staff.call(matchQuarantine, { params: { quarantine_id: id }, body })).toMatchObject({ status: 409 })
})

test('limits are looked at, and an event says an overshoot', async () => {
  const sim_id = assets[1]!.sim!.id
  await house.db.updateTable('usage_limit').set({ bytes: 1000 }).where('sim_id', '=', sim_id).execute()
  await sql`update sim set blocks = '[{"code":"data_limit"}]' where id = ${sim_id}`.execute(house.db)
  await clearDataLimits(house.app)
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', assets[1]!.sim!.id).executeTakeFirstOrThrow()
  expect(blocks).toHaveLength(1)
  const { id: asset_id, name: asset_name, sim } = assets[1]!
  const limit = { latency_ms: 3, overshoot_bytes: nearest(nearMost) }
  const detail = { asset_id, asset_name, sim_id: sim!.id, iccid: sim!.iccid, session_id: 'ses', answer: 'ack' as const, words: '', limit }
  await house.db.transaction().execute((tx) => record(tx, systemActor(owner.account_id, house.clock.now()), sessionCut, detail))
  expect((await reply(owner, listActivities)).items.map(({ sentence }) => sentence).join()).toContain('beyond it')
})

test('records are rolled up to the byte', async () => {
  const other = await house.newOwner()
  const at = house.clock.now()
  await ensurePartitions(house.db, at)
  for (const bytes of [beyondJson, beyondJson + 1n])
    await sql`insert into usage_record values (${other.account_id}, 'sim', 'session', ${hours[0]}, ${at}, ${bytes}, 1, '262-01', 'LTE')`.execute(
      house.db
    )
  await rollUpAll(house.app)
  const sumOf = (table: string) =>
    sql<{ up: string }>`select sum(bytes_up)::text as up from ${sql.table(table)} where account_id = ${other.account_id}`.execute(house.db)
  for (const table of ['usage_hour', 'usage_day', 'usage_month', 'account_usage_hour'])
    expect([table, (await sumOf(table)).rows]).toEqual([table, [{ up: String(2n * beyondJson + 1n) }]])
})
