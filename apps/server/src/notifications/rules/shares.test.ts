import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newAsset, type Stock } from '../test-alerts.ts'
import { followRules } from './follow-rules.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const today = '2026-11-21'

/** What a SIM used on days of this month and the one before: in the days, and in the counter of the month. */
async function use({ account_id }: Person, { sim_id }: Stock, days: Record<string, number>) {
  for (const [day, bytes_up] of Object.entries(days))
    await house.db
      .insertInto('usage_day')
      .values({ account_id, sim_id, day, mccmnc: '260-06', rat: 'LTE', bytes_up, bytes_down: 0 })
      .execute()
  const bytes_up = Object.entries(days).reduce((sum, [day, bytes]) => sum + (day.startsWith('2026-11') ? bytes : 0), 0)
  const nothing = { bytes_down: 0, lifetime_up: bytes_up, lifetime_down: 0, seen_at: house.clock.now() }
  await house.db
    .insertInto('sim_counter')
    .values({ account_id, sim_id, period_start: '2026-11-01', bytes_up, ...nothing })
    .execute()
}

async function newScene() {
  house.clock.set(`${today}T12:00:00Z`)
  const owner = await house.newOwner()
  const [heavy, light] = [await newAsset(house, owner, 'heavy'), await newAsset(house, owner, 'light')]
  const fields = (changes: Partial<RuleFields>) => ({ name: 'Share', metric: 'usage_month', threshold: 1, ...changes }) as RuleFields
  const fired = async (changes: Partial<RuleFields>) => {
    const { body, text } = await owner.call(ops.previewRule, { body: fields(changes) })
    expect(body.latest, text).toBeDefined()
    return body.latest.map(({ asset_name, day, value }) => [asset_name, day, value])
  }
  /** What fires for it now, at two checks. */
  const now = async (changes: Partial<RuleFields>) => {
    const { body } = await owner.call(ops.createRule, { body: fields(changes) })
    await owner.call(ops.enableRule, { params: { rule_id: body.id } })
    for (let looks = 0; looks < 2; looks++) {
      house.clock.advance({ minutes: 1 })
      await followRules(house.app)
    }
    const { items } = (await owner.call(ops.listFirings, { params: { rule_id: body.id }, query: {} })).body
    return items.map(({ asset_name, day, value }) => [asset_name, day, value])
  }
  return { owner, heavy, light, fired, now }
}

test('the data of a month fires on the day on which it is reached, once in the month', async () => {
  const { owner, heavy, light, fired, now } = await newScene()
  await use(owner, heavy, { '2026-10-31': 90, '2026-11-02': 60, '2026-11-20': 30, [today]: 20 })
  await use(owner, light, { '2026-10-31': 90, '2026-11-02': 60 })
  expect(await fired({ threshold: 100 })).toEqual([['heavy', today, 110]])
  expect(await fired({ threshold: 60 })).toEqual([
    ['light', '2026-11-02', 60],
    ['heavy', '2026-11-02', 60],
    ['light', '2026-10-31', 90],
    ['heavy', '2026-10-31', 90],
  ])
  expect(await now({ threshold: 100 })).toEqual([['heavy', today, 110]])
  expect(await now({ threshold: 60 })).toEqual([])
})

test('a share of a limit fires when it is reached: of a month once, of a day on each day', async () => {
  const { owner, heavy, light, fired, now } = await newScene()
  await use(owner, heavy, { '2026-11-02': 60, '2026-11-20': 15, [today]: 10 })
  await use(owner, light, { '2026-11-20': 45, [today]: 41 })
  const { account_id } = owner
  const limit = { account_id, bytes: 100, action: 'block' as const, created_at: house.clock.now() }
  await house.db
    .insertInto('usage_limit')
    .values([
      { ...limit, id: 'lim_heavy', sim_id: heavy.sim_id, period: 'month' },
      { ...limit, id: 'lim_light', sim_id: light.sim_id, period: 'day', bytes: 50 },
    ] as never)
    .execute()
  const share = { metric: 'limit_share', threshold: 80 } as const
  expect((await fired(share)).toSorted()).toEqual([
    ['heavy', today, 85],
    ['light', '2026-11-20', 90],
    ['light', today, 82],
  ])
  expect((await now(share)).toSorted()).toEqual([
    ['heavy', today, 85],
    ['light', today, 82],
  ])
})

test('many times its usual fires against the days on which the SIM sent, where seven of them are known', async () => {
  const { owner, heavy, light, fired, now } = await newScene()
  const week = (bytes: number, from: number, days: number) =>
    Object.fromEntries(Array.from({ length: days }, (_, nth) => [`2026-11-${String(from + nth).padStart(2, '0')}`, bytes]))
  await use(owner, heavy, { ...week(1_000_000, 10, 8), [today]: 3_500_000 })
  await use(owner, light, { ...week(1_000_000, 15, 6), [today]: 9_000_000 })
  const usual = { metric: 'usual_times', threshold: 3 } as const
  expect(await fired(usual)).toEqual([['heavy', today, 3.5]])
  expect(await now(usual)).toEqual([['heavy', today, 3.5]])
  expect(await fired({ ...usual, threshold: 4 })).toEqual([])
})
