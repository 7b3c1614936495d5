import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enrolDevice } from '../../devices/index.ts'
import { newAsset } from '../test-alerts.ts'
import { followRules } from './follow-rules.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const minute = 60_000

/** An owner with devices, and what a rule does at a check. */
async function newScene() {
  const owner = await house.newOwner()
  const { account_id } = owner
  const device = async (name: string, row: { online?: boolean; offline_minutes?: number; reported?: object } = {}) => {
    const { asset_id } = await newAsset(house, owner, name)
    const at = house.clock.now()
    const { device_id } = await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'agent', at }))
    await sql`update device set last_birth_at = ${at}, online = ${row.offline_minutes === undefined},
      since = ${new Date(at.getTime() - (row.offline_minutes ?? 0) * minute)}, reported = ${JSON.stringify(row.reported ?? {})}::jsonb
      where account_id = ${account_id} and id = ${device_id}`.execute(house.db)
    return { asset_id, device_id, name }
  }
  const fields = (rule: Partial<RuleFields>) => ({ name: 'Devices', ...rule }) as RuleFields
  const make = async (rule: Partial<RuleFields>) => {
    const { body, text } = await owner.call(ops.createRule, { body: fields(rule) })
    expect(body.id, text).toBeDefined()
    await owner.call(ops.enableRule, { params: { rule_id: body.id } })
    return async () => {
      house.clock.advance({ minutes: 1 })
      await followRules(house.app)
      const { items } = (await owner.call(ops.listFirings, { params: { rule_id: body.id }, query: {} })).body
      return items.map(({ asset_name, value }) => [asset_name, Math.floor(value!)]).toSorted()
    }
  }
  const trial = async (rule: Partial<RuleFields>) => (await owner.call(ops.previewRule, { body: fields(rule) })).body
  const alerts = async () => (await owner.call(listAlerts, { query: {} })).body.items
  return { owner, device, make, trial, alerts }
}

const crashing = (since: Date, ...names: string[]) => ({
  agent: { containers: names.map((name) => ({ name, problem: { code: 'crash_loop_backoff', since: since.toISOString() } })) },
})

test('a device that is away for so long fires once, with a link to it; one that is back, cut off or was never there does not', async () => {
  const { owner, device, make, alerts, trial } = await newScene()
  const away = await device('Away', { offline_minutes: 20 })
  await device('Shortly', { offline_minutes: 5 })
  await device('There')
  const cut = await device('Cut', { offline_minutes: 60 })
  await house.db
    .updateTable('device')
    .set({ cut_at: house.clock.now() })
    .where('account_id', '=', owner.account_id)
    .where('id', '=', cut.device_id)
    .execute()
  const never = await device('Never', { offline_minutes: 60 })
  await sql`update device set last_birth_at = null where account_id = ${owner.account_id} and id = ${never.device_id}`.execute(house.db)
  const look = await make({ metric: 'device_offline', threshold: 15, severity: 'critical' })
  expect(await look()).toEqual([['Away', 21]])
  expect(await look()).toEqual([['Away', 21]])
  expect(await alerts()).toEqual([
    expect.objectContaining({
      title: 'The rule Devices fired for Away',
      severity: 'critical',
      link: `/assets/${away.asset_id}/device`,
      words: expect.stringContaining('Minutes a device is offline: 21 minutes') as string,
    }),
  ])
  house.clock.advance({ minutes: 14 })
  expect(await look()).toEqual([
    ['Away', 21],
    ['Shortly', 22],
  ])
  expect(await trial({ metric: 'device_offline', threshold: 15 })).toMatchObject({ fired: 2, sims: 2, acted: 0 })
  expect(await trial({ metric: 'device_offline', threshold: 15, scope: 'Shortly' })).toMatchObject({ fired: 1 })
})

test('containers that crash, a full disk and a hot device fire; what it reported of another shape does not', async () => {
  const { owner, device, make, alerts, trial } = await newScene()
  const now = house.clock.now()
  const { asset_id } = await device('Crashes', { reported: crashing(new Date(now.getTime() - minute), 'relay', 'logger') })
  await device('Odd', { reported: { agent: { containers: { problem: 1 } } } })
  await device('Odder', { reported: { agent: { containers: [{ problem: { code: 'crash_loop_backoff', since: 'never' } }, 7] } } })
  const back = crashing(new Date(now.getTime() - minute), 'relay')
  back.agent.containers[0]!.problem.code = 'rolled_back'
  await device('Went back', { reported: back })
  const crash = await make({ metric: 'container_crash', threshold: 1 })
  expect((await crash()).toSorted()).toEqual([
    ['Crashes', 2],
    ['Went back', 1],
  ])
  expect((await alerts()).map(({ link }) => link)).toContain(`/assets/${asset_id}/application`)

  const { device_id } = await device('Hot')
  const hours = [
    { hour: 0, disk_pct: 91, temperature_max_c: 60, temperature_c: 50 },
    { hour: 24, disk_pct: 80, temperature_max_c: 88, temperature_c: 70 },
  ].map(({ hour, ...row }) => ({
    account_id: owner.account_id,
    device_id,
    hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000 - hour * 3_600_000),
    samples: 60,
    cpu_pct: null,
    cpu_max_pct: null,
    memory_pct: null,
    ...row,
  }))
  await house.db.insertInto('device_hour').values(hours).execute()
  expect(await (await make({ metric: 'device_disk', threshold: 90 }))()).toEqual([['Hot', 91]])
  expect(await (await make({ metric: 'device_temperature', threshold: 85 }))()).toEqual([])
  const tried = await trial({ metric: 'device_temperature', threshold: 60 })
  expect(tried.latest.map(({ asset_name, value }) => [asset_name, value])).toEqual([
    ['Hot', 60],
    ['Hot', 88],
  ])
  expect(tried).toMatchObject({ fired: 2, sims: 1 })
  // The averages of an hour, not its peaks.
  const average = await trial({ metric: 'device_temperature_average', threshold: 60 })
  expect(average.latest.map(({ asset_name, value }) => [asset_name, value])).toEqual([['Hot', 70]])
  const refused = await owner.call(ops.createRule, { body: { name: 'No', metric: 'device_disk', threshold: 90, action: 'deactivate_sim' } })
  expect(refused.text).toContain('Only a rule of SIMs does something to SIMs')
})

test('the average of an hour fires once the hour is over, not by its first minutes', async () => {
  const { owner, device, make } = await newScene()
  const { device_id } = await device('Busy')
  const hour = new Date(Math.ceil(house.clock.now().getTime() / 3_600_000) * 3_600_000)
  house.clock.set(hour)
  const of = { account_id: owner.account_id, device_id }
  const row = {
    ...of,
    hour,
    samples: 1,
    cpu_pct: 97,
    cpu_max_pct: 97,
    memory_pct: null,
    disk_pct: null,
    temperature_c: 61,
    temperature_max_c: 61,
  }
  await house.db.insertInto('device_hour').values(row).execute()
  const looks = [
    await make({ metric: 'device_cpu_average', threshold: 90 }),
    await make({ metric: 'device_temperature_average', threshold: 60 }),
  ]
  for (const look of looks) expect(await look()).toEqual([])
  await house.db.updateTable('device_hour').set({ samples: 60, cpu_pct: 91 }).where('device_id', '=', device_id).execute()
  house.clock.advance({ hours: 1 })
  const found: unknown[] = []
  for (const look of looks) found.push(await look())
  expect(found).toEqual([[['Busy', 91]], [['Busy', 61]]])
})
