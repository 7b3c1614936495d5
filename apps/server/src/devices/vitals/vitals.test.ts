import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentTopics, reportOf, type Vitals } from '@masthead/contract/devices/agent/messages'
import { getVitals } from '@masthead/contract/devices/vitals-operations'
import { putAgent } from '../agent/test-agent.ts'
import { storeReports } from '../broker/store-reports.ts'
import { openBrokerHouse, type BrokerHouse } from '../test-broker.ts'
import { dropOldVitals } from './vitals-partitions.ts'

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const minute = 60_000
const day = 86_400_000
const vitalsOf = (at: string, parts: Partial<Vitals> | Record<string, unknown> = {}) => ({
  at,
  cpu_pct: 10,
  memory_used_bytes: 250,
  memory_total_bytes: 1000,
  disk_used_bytes: 400,
  disk_total_bytes: 1000,
  temperature_c: 40,
  ...parts,
})

/** A device that says what it measured, one after the other. */
async function measuring() {
  const { owner } = house
  const { asset_id, device_id, token } = await putAgent(house, owner)
  const client = await house.connect({ device_id, username: device_id, password: token })
  const topics = agentTopics(device_id)
  const acked = new Set<string>()
  client.on('message', (_topic, payload) => acked.add((JSON.parse(String(payload)) as { data: string }).data))
  await client.subscribeAsync(topics.directives, { qos: 1 })
  let mids = 0
  const say = async (vitals: unknown) => {
    const mid = `v${++mids}`
    await client.publishAsync(topics.hive, JSON.stringify(reportOf('vitals', vitals as Vitals, mid)), { qos: 1 })
    await expect.poll(() => acked.has(mid)).toBe(true)
  }
  const get = (from: number, to: number) =>
    owner.call(getVitals, { params: { asset_id }, query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() } })
  return { device_id, say, get, end: () => client.endAsync(true) }
}

test('what a device measures is kept once a minute and added up by the hour, also when it comes late', async () => {
  const { say, get, end } = await measuring()
  const now = house.clock.now().getTime()
  const begin = Math.floor(now / 3_600_000) * 3_600_000 - 2 * day
  const at = (minutes: number) => new Date(begin + minutes * minute + 5000).toISOString()
  await say(vitalsOf(at(10)))
  await say(vitalsOf(at(10), { cpu_pct: 90 }))
  await say(vitalsOf(at(12), { cpu_pct: 30, temperature_c: 50 }))
  await say(vitalsOf(at(1), { cpu_pct: 20, temperature_c: null }))

  const { body } = await get(begin, begin + 60 * minute)
  expect(body.step_s).toBe(60)
  expect(body.items.map(({ at: when, cpu_pct, temperature_c }) => [(Date.parse(when) - begin) / minute, cpu_pct, temperature_c])).toEqual([
    [1, 20, null],
    [10, 10, 40],
    [12, 30, 50],
  ])
  expect(body.items[1]).toMatchObject({ samples: 1, memory_pct: 25, disk_pct: 40, cpu_max_pct: 10 })
  const month = (await get(now - 30 * day, now)).body
  expect(month.step_s).toBe(3 * 3600)
  expect(month.items).toEqual([
    expect.objectContaining({ samples: 3, cpu_pct: 20, cpu_max_pct: 30, memory_pct: 25, disk_pct: 40, temperature_max_c: 50 }),
  ])
  expect((await get(now - day, now)).body).toEqual({ step_s: 300, items: [] })
  expect((await get(now - 7 * day, now)).body.step_s).toBe(1800)
  expect((await get(now, now)).body).toMatchObject({ code: 'vitals_period_wrong' })
  expect((await get(now - 100 * day, now)).body).toMatchObject({ code: 'vitals_period_wrong' })
  await end()
})

const nothingNew = { birth: false, death: false, sure: false, seq: null, ts: null, at: null, ip: null }

test('of a device that is gone nothing is kept any more', async () => {
  const [here, gone] = [await house.newDevice('agent'), await house.newDevice('agent')]
  await house.db.deleteFrom('device').where('id', '=', gone.device_id).execute()
  const now = house.clock.now()
  const rows = [gone, here].map(({ account_id, device_id }) => ({
    ...nothingNew,
    account_id,
    device_id,
    seen_at: now,
    reported: { vitals: vitalsOf(now.toISOString()) },
  }))
  await storeReports(house.db, 'test', rows)
  const ids = [here, gone].map(({ device_id }) => device_id)
  const { rows: kept } = await sql`select device_id from device_minute where device_id = any(${ids}::text[])
    union all select device_id from device_hour where device_id = any(${ids}::text[])`.execute(house.db)
  expect(kept).toEqual([{ device_id: here.device_id }, { device_id: here.device_id }])
})

test('nothing that a device says keeps its report, or that of others, from being stored', async () => {
  const { device_id, say, get, end } = await measuring()
  const now = house.clock.now().getTime()
  const iso = (ms: number) => new Date(ms).toISOString()
  for (const at of ['no time', '9999-99-99T00:00:00Z', 'infinity', iso(now - 8 * day), iso(now + day), 7, null])
    await say(vitalsOf(at as string))
  await say({ at: iso(now - minute), cpu_pct: 1e300, memory_used_bytes: 'much', memory_total_bytes: 0, temperature_c: [1] })
  expect((await get(now - day, now)).body.items).toEqual([
    expect.objectContaining({ cpu_pct: 100, memory_pct: null, disk_pct: null, temperature_c: null }),
  ])
  // Without a partition for it, too.
  await sql`alter table device_minute detach partition ${sql.id(
    `device_minute_${iso(now - 2 * minute)
      .slice(0, 10)
      .replaceAll('-', '')}`
  )}`.execute(house.db)
  await say(vitalsOf(iso(now - 2 * minute), { cpu_pct: 77 }))
  expect((await house.find(device_id)).reported.vitals).toMatchObject({ cpu_pct: 77 })
  await end()
})

test('what is older than it is kept goes by whole partitions', async () => {
  const names = async () =>
    (
      await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
        where inhparent in ('device_minute'::regclass, 'device_hour'::regclass) order by 1`.execute(house.db)
    ).rows.map(({ name }) => name)
  await sql`select ensure_device_partitions('2026-01-01', '2026-01-02')`.execute(house.db)
  expect(await names()).toContain('device_minute_20260102')
  expect(await names()).toContain('device_hour_202601')
  const now = house.clock.now()
  await dropOldVitals(house.app, now)
  const left = await names()
  expect(left).not.toContain('device_minute_20260102')
  expect(left).not.toContain('device_hour_202601')
  expect(left).toContain(`device_hour_${now.toISOString().slice(0, 7).replace('-', '')}`)
})
