import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { createView, deleteView } from '@masthead/contract/assets/views/view-operations'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene, swapSim } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A SIM that a rule deactivated for the day. */
async function actedScene() {
  const scene = await newScene(house)
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const rule_id = await scene.make({ action: 'deactivate_sim', lasts: 'day' })
  await scene.look()
  expect(await scene.stateOf(truck.sim_id)).toBe('inactive')
  expect(await scene.rule(rule_id)).toMatchObject({ due_back: 1 })
  return { ...scene, truck, rule_id }
}

/** So, and the rule deleted since. */
async function deletedScene() {
  const scene = await actedScene()
  const { rule_id } = scene
  expect((await scene.owner.call(ops.deleteRule, { params: { rule_id } })).status).toBe(200)
  const { account_id } = scene.owner
  const kept = () => house.db.selectFrom('alert_rule').select('id').where('account_id', '=', account_id).execute()
  const sentences = async () => (await scene.owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)
  return { ...scene, kept, sentences }
}
const nextDay = () => house.clock.set('2026-11-22T00:00:00Z')

test('what a rule did for the day is taken back when that is over, though the rule is deleted since', async () => {
  const { owner, truck, rule_id, kept, look, stateOf, sentences } = await deletedScene()
  const params = { rule_id }
  expect((await owner.call(ops.listRules)).body.items).toEqual([])
  for (const op of [ops.getRule, ops.enableRule, ops.deleteRule, ops.listFirings])
    expect((await owner.call(op, { params } as never)).status).toBe(404)
  await look()
  expect(await stateOf(truck.sim_id)).toBe('inactive')
  nextDay()
  await look()
  expect(await stateOf(truck.sim_id)).toBe('active')
  expect(await sentences()).toContain('Took back what the alert rule Heavy did to truck')
  expect(await kept()).toEqual([])
})

test('where it cannot be taken back, the log of activities says why', async () => {
  const { owner, truck, kept, look, sentences } = await deletedScene()
  await swapSim(house, owner, truck)
  nextDay()
  await look()
  expect(await sentences()).toContain('What the alert rule Heavy did to truck was not taken back: The asset has another SIM by now')
  expect(await kept()).toEqual([])
})

test('a rule that did nothing for a while is gone at once, with what it was about to do', async () => {
  const { owner, asset, use, make, look, stateOf } = await newScene(house)
  const truck = await asset('truck')
  await use(truck, 2_000_000)
  const rule_id = await make({ action: 'deactivate_sim', lasts: 'day', after_minutes: 60 })
  await look()
  expect((await owner.call(ops.deleteRule, { params: { rule_id } })).status).toBe(200)
  expect(await house.db.selectFrom('alert_rule').select('id').where('account_id', '=', owner.account_id).execute()).toEqual([])
  await look(61)
  expect(await stateOf(truck.sim_id)).toBe('active')
})

test('a rule that goes with the view that it watches takes back what it did before it watched that', async () => {
  const { owner, truck, rule_id, look, stateOf } = await actedScene()
  const made = await owner.call(createView, { body: { name: 'Cores', q: 'type:core', sort: '-usage', columns: [], shared: true } })
  expect(made.status, made.text).toBe(200)
  const watching = { name: 'Cores are there', metric: 'view_count', threshold: 1, view_id: made.body.id } as const
  const changed = await owner.call(ops.updateRule, { params: { rule_id }, body: watching })
  expect(changed.status, changed.text).toBe(200)
  expect((await owner.call(deleteView, { params: { view_id: made.body.id } })).status).toBe(200)
  expect((await owner.call(ops.listRules)).body.items).toEqual([])
  nextDay()
  await look()
  expect(await stateOf(truck.sim_id)).toBe('active')
})
