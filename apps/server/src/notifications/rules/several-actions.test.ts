import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const both = {
  action: 'block_sim',
  more_actions: ['set_limit'],
  limit_bytes: 5_000_000,
  limit_period: 'month',
} satisfies Partial<RuleFields>

/** A SIM that was heavy today, and a rule of that with several actions. */
async function heavyScene(changes: Partial<RuleFields> = {}) {
  const scene = await newScene(house)
  const { owner } = scene
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const rule_id = await scene.make({ ...both, ...changes })
  const params = { asset_id: truck.asset_id }
  const now = async () => {
    const { blocks, usage } = (await owner.call(getAsset, { params })).body.sim!
    return {
      blocked: blocks.some(({ code }) => code === 'rule'),
      limit: usage.limit_of?.scope === 'sim' ? usage.limit_of.usual_bytes : null,
    }
  }
  const said = async () => (await scene.firings(rule_id)).map(({ action, state, words }) => `${action} ${state} ${words}`).toSorted()
  return { ...scene, truck, rule_id, params, now, said }
}

test('all of them are done, said once, counted as one firing, and each is taken back by itself', async () => {
  const { owner, rule_id, look, firings, rule, now, said } = await heavyScene()
  await look()
  expect(await now()).toEqual({ blocked: true, limit: 5_000_000 })
  expect(await said()).toEqual(['block_sim done null', 'set_limit done null'])
  expect(await rule(rule_id)).toMatchObject({ firings: 1, more_actions: ['set_limit'] })
  const alerts = (await owner.call(listAlerts, { query: {} })).body.items.filter(({ title }) => title.startsWith('The rule '))
  expect(alerts).toHaveLength(1)
  expect(alerts[0]!.words).toMatch(/ Its SIM is blocked, and its SIM is given a data limit at once\.$/)
  const sentences = (await owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)
  expect(sentences).toEqual(
    expect.arrayContaining([
      'The alert rule Heavy blocked the SIM of truck: 2 MB',
      'The alert rule Heavy gave the SIM of truck a data limit: 2 MB',
    ])
  )
  await look()
  expect(await firings(rule_id)).toHaveLength(2)
  const limit = (await firings(rule_id)).find(({ action }) => action === 'set_limit')!
  await owner.call(ops.undoFiring, { params: { rule_id, firing_id: limit.id } })
  expect(await now()).toEqual({ blocked: true, limit: null })
})

test('one that cannot be done keeps none of the others', async () => {
  const { owner, params, look, now, said } = await heavyScene()
  await owner.call(setSimLimit, { params, body: { bytes: 3_000_000, period: 'month' } })
  await look()
  expect(await now()).toEqual({ blocked: true, limit: 3_000_000 })
  expect(await said()).toEqual(['block_sim done null', 'set_limit left The SIM has a lower limit'])
})

test('what holds until the next day ends whole', async () => {
  const { look, now, said, rule, rule_id } = await heavyScene({ lasts: 'day' })
  await look()
  expect((await rule(rule_id)).due_back).toBe(1)
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await now()).toEqual({ blocked: false, limit: null })
  const over = 'undone By the rule, as its time was over'
  expect(await said()).toEqual([`block_sim ${over}`, `set_limit ${over}`])
})

test('a SIM takes one place of those that a rule may change, and of the others it only notifies', async () => {
  const { asset, use, look, said } = await heavyScene({ most_sims: 1 })
  await use(await asset('van'), 2_000_000)
  await look()
  expect(await said()).toEqual(['block_sim done null', 'null left More SIMs than the rule may change in a day', 'set_limit done null'])
})

test('actions that set the same of a SIM do not stand beside each other, and none beside a notification alone', async () => {
  const { owner, fields } = await newScene(house)
  for (const changes of [
    { action: 'deactivate_sim', more_actions: ['standby_sim'] },
    { action: 'block_sim', more_actions: ['deactivate_sim'] },
    { action: 'block_sim', more_actions: ['imei_lock', 'imei_lock'] },
    { action: 'block_sim', more_actions: ['tell'] },
    { action: 'tell', more_actions: ['block_sim'] },
  ] satisfies Partial<RuleFields>[])
    expect((await owner.call(ops.createRule, { body: fields(changes) })).body).toMatchObject({
      fields: { more_actions: 'Each action sets another thing of the SIM: choose others' },
    })
  const unlimited = fields({ action: 'block_sim', more_actions: ['set_limit'] })
  expect((await owner.call(ops.createRule, { body: unlimited })).body).toMatchObject({ fields: { limit_bytes: 'Enter a limit' } })
})

test('a program that knows of one action alone keeps the others as it changes the rule', async () => {
  const { owner, fields, rule_id } = await heavyScene({ after_minutes: 30, limit_period: 'day' })
  const change = async (changes: Partial<RuleFields>) =>
    (await owner.call(ops.updateRule, { params: { rule_id }, body: fields(changes) })).body
  expect(await change({ name: 'Busy', action: 'block_sim' })).toMatchObject({
    name: 'Busy',
    more_actions: ['set_limit'],
    limit_bytes: 5_000_000,
    limit_period: 'day',
  })
  // With what is measured, whether an action can follow it may be another, too.
  expect(await change({ metric: 'usage_month', action: 'block_sim' })).toMatchObject({ more_actions: [], limit_bytes: null })
  await change({ ...both })
  expect(await change({ action: 'standby_sim' })).toMatchObject({ more_actions: [], limit_bytes: null })
})
