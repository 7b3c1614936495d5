import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A SIM that was heavy today, and a rule of that. */
async function heavyScene(changes: Partial<RuleFields>) {
  const scene = await newScene(house)
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  return { ...scene, truck, rule_id: await scene.make(changes) }
}

test.each([
  ['day', 30, '2026-11-22T00:30:00.000Z'],
  ['month', 0, '2026-12-01T00:00:00.000Z'],
] as const)('an action that follows as the next %s begins is to come until then', async (starts, after_minutes, due) => {
  const { truck, rule_id, look, firings, stateOf } = await heavyScene({ action: 'deactivate_sim', starts, after_minutes })
  await look()
  expect(await firings(rule_id)).toMatchObject([{ state: 'waiting', act_at: due }])
  house.clock.set(new Date(Date.parse(due) - 120_000).toISOString())
  await look()
  expect(await stateOf(truck.sim_id)).toBe('active')
  await look()
  expect(await stateOf(truck.sim_id)).toBe('inactive')
})

test('for so many SIMs as the rule may change in a day an action waits for the next month, whenever they fire', async () => {
  const { asset, use, look, firings, rule_id, fields, owner } = await heavyScene({
    action: 'deactivate_sim',
    starts: 'month',
    most_sims: 2,
  })
  await look()
  house.clock.set('2026-11-22T12:00:00Z')
  for (const name of ['van', 'bus']) await use(await asset(name), 2_000_000, '2026-11-22')
  await look()
  const said = (await firings(rule_id)).map(({ day, state }) => [day, state]).toSorted()
  expect(said).toEqual([
    ['2026-11-21', 'waiting'],
    ['2026-11-22', 'left'],
    ['2026-11-22', 'waiting'],
  ])
  const tried = await owner.call(ops.previewRule, { body: fields({ action: 'deactivate_sim', starts: 'month', most_sims: 2 }) })
  expect(tried.body).toMatchObject({ fired: 3, acted: 2 })
})

test('for a SIM that fires on several days one action waits, which takes one place, and none once it is called off', async () => {
  const scene = await heavyScene({ action: 'deactivate_sim', starts: 'month', most_sims: 2 })
  const { asset, use, truck, look, firings, rule_id, owner, rule } = scene
  await look()
  house.clock.set('2026-11-22T12:00:00Z')
  await use(truck, 2_000_000, '2026-11-22')
  await look()
  house.clock.set('2026-11-23T12:00:00Z')
  const said = async () => (await firings(rule_id)).map(({ day, state }) => [day, state]).toSorted()
  expect(await said()).toEqual([
    ['2026-11-21', 'waiting'],
    ['2026-11-22', 'left'],
  ])
  expect(await rule(rule_id)).toMatchObject({ waiting: 1 })
  // Switched off and on again, it has both its places.
  await owner.call(ops.disableRule, { params: { rule_id } })
  await owner.call(ops.enableRule, { params: { rule_id } })
  for (const name of ['van', 'bus']) await use(await asset(name), 2_000_000, '2026-11-23')
  await look()
  expect(await said()).toEqual([
    ['2026-11-21', 'called_off'],
    ['2026-11-22', 'left'],
    ['2026-11-23', 'waiting'],
    ['2026-11-23', 'waiting'],
  ])
})

test('usage of the last day of a month that comes after its end is acted on at once, not a month later', async () => {
  const { asset, use, look, firings, rule_id, stateOf } = await heavyScene({ action: 'deactivate_sim', starts: 'month' })
  await look()
  house.clock.set('2026-12-01T06:00:00Z')
  const van = await asset('van')
  await use(van, 2_000_000, '2026-11-30')
  await look()
  const late = (await firings(rule_id)).find(({ day }) => day === '2026-11-30')
  expect(late).toMatchObject({ state: 'done', act_at: '2026-12-01T06:01:00.000Z' })
  expect(await stateOf(van.sim_id)).toBe('inactive')
})

test('what is overdue because nothing ran waits still: it takes one of the places of today, and its SIM is not asked for twice', async () => {
  const scene = await heavyScene({ action: 'deactivate_sim', starts: 'day', most_sims: 1 })
  const { asset, use, truck, look, firings, rule_id, stateOf } = scene
  await look()
  house.clock.set('2026-11-23T12:00:00Z')
  const van = await asset('van')
  for (const sim of [truck, van]) await use(sim, 2_000_000, '2026-11-22')
  await look()
  const said = (await firings(rule_id)).map(({ asset_name, day, words }) => [day, asset_name, words])
  expect(said.toSorted()).toEqual([
    ['2026-11-21', 'truck', null],
    ['2026-11-22', 'truck', 'What the rule does to it is to come already'],
    ['2026-11-22', 'van', 'More SIMs than the rule may change in a day'],
  ])
  expect([await stateOf(truck.sim_id), await stateOf(van.sim_id)]).toEqual(['inactive', 'active'])
  // That it was done today is known of today, too.
  await use(await asset('bus'), 2_000_000, '2026-11-22')
  await look(60)
  expect((await firings(rule_id)).find(({ asset_name }) => asset_name === 'bus')).toMatchObject({ state: 'left' })
})

test('whoever changes a rule and does not say when its action begins leaves that as it was', async () => {
  const { owner, rule_id, rule, fields } = await heavyScene({ action: 'deactivate_sim', starts: 'month' })
  const change = (changes: Partial<RuleFields>) => owner.call(ops.updateRule, { params: { rule_id }, body: fields(changes) })
  expect((await change({ action: 'deactivate_sim', name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', starts: 'month' })
  await change({ action: 'deactivate_sim', starts: 'now' })
  expect(await rule(rule_id)).toMatchObject({ starts: 'now' })
})
