import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { previewBulkChange, startBulkChange, undoBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { activateSim, deactivateSim, getAsset } from '@masthead/contract/assets/operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { hasService } from '@masthead/contract/assets/service'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A SIM that was heavy today, and a rule of that which blocks it. */
async function heavyScene(changes: Partial<RuleFields> = {}) {
  const scene = await newScene(house)
  const { owner } = scene
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const rule_id = await scene.make({ action: 'block_sim', ...changes })
  const params = { asset_id: truck.asset_id }
  const sim = async () => (await owner.call(getAsset, { params })).body.sim!
  const codes = async () => (await sim()).blocks.map(({ code }) => code)
  const sentences = async () => (await owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)
  return { ...scene, truck, rule_id, params, sim, codes, sentences }
}

test('a rule blocks a SIM, whose state stays, and says why; whoever takes that back gives it its service again', async () => {
  const { owner, rule_id, look, firings, sim, sentences } = await heavyScene()
  await look()
  const blocked = await sim()
  expect(blocked).toMatchObject({
    state: 'active',
    status: 'blocked',
    blocks: [{ code: 'rule', words: 'The alert rule Heavy fired', rule_id }],
  })
  expect(hasService(blocked)).toBe(false)
  expect(await sentences()).toEqual(
    expect.arrayContaining(['The alert rule Heavy blocked the SIM of truck: 2 MB', 'Blocked the SIM of truck: held by an alert rule'])
  )
  const [firing] = await firings(rule_id)
  expect((await owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })).status).toBe(200)
  expect(await sim()).toMatchObject({ state: 'active', status: 'active', blocks: [] })
})

test('a block for a day goes as the next one begins', async () => {
  const { look, codes, rule_id, firings } = await heavyScene({ lasts: 'day' })
  await look()
  expect(await codes()).toEqual(['rule'])
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await codes()).toEqual([])
  expect(await firings(rule_id)).toMatchObject([{ state: 'undone' }])
})

test('whoever deactivates the SIM has it in hand: activated again it is blocked no more, and the rule takes nothing back', async () => {
  const { owner, params, look, sim, codes, rule_id, firings } = await heavyScene({ lasts: 'day' })
  await look()
  expect((await owner.call(deactivateSim, { params })).status).toBe(200)
  expect(await codes()).toEqual([])
  expect((await owner.call(activateSim, { params })).status).toBe(200)
  expect(await sim()).toMatchObject({ status: 'active' })
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await firings(rule_id)).toMatchObject([{ state: 'done', words: 'Not taken back. Somebody has changed the SIM since' }])
})

test('where the rule is gone, whoever activates the SIM takes its block off, also by a change of many; another block stays', async () => {
  const { owner, params, look, sim, codes, rule_id, sentences } = await heavyScene()
  await look()
  expect((await owner.call(ops.deleteRule, { params: { rule_id } })).status).toBe(200)
  expect(await codes()).toEqual(['rule'])
  const many = { action: 'activate_sim', asset_ids: [params.asset_id] } as never
  expect((await owner.call(previewBulkChange, { body: many })).body).toMatchObject({ changed: 1, still_blocked: 0 })
  expect((await owner.call(activateSim, { params })).status).toBe(200)
  expect(await sim()).toMatchObject({ state: 'active', status: 'active', blocks: [] })
  expect(await sentences()).toContain('The SIM of truck is no longer blocked: held by an alert rule')
  expect((await owner.call(activateSim, { params })).body).toMatchObject({ code: 'sim_wrong_state' })
  const held = { since: house.clock.now().toISOString(), by: 'system', words: 'Held', clears: 'Later' }
  const blocks = JSON.stringify(['rule', 'staff'].map((code) => ({ code, ...held })))
  await house.db.updateTable('sim').set({ blocks }).where('asset_id', '=', params.asset_id).execute()
  expect((await owner.call(previewBulkChange, { body: many })).body).toMatchObject({ changed: 1, still_blocked: 1 })
  const { body } = await owner.call(startBulkChange, { body: many })
  expect(body).toMatchObject({ changed: 1 })
  expect(await codes()).toEqual(['staff'])
})

test.each([
  ['while its time runs', '2026-11-21T20:00:00Z', ['rule']],
  ['and not once that is over', '2026-11-22T00:00:00Z', []],
] as const)('to undo a deactivation brings back what a rule held, %s', async (_, at, held) => {
  const { owner, params, look, sim, codes } = await heavyScene({ lasts: 'day' })
  await look()
  const body = { action: 'deactivate_sim' as const, asset_ids: [params.asset_id] }
  const { id } = (await owner.call(startBulkChange, { body })).body
  expect(await codes()).toEqual([])
  house.clock.set(at)
  await look()
  expect((await owner.call(undoBulkChange, { params: { bulk_id: id } })).body).toMatchObject({ changed: 1 })
  expect(await sim()).toMatchObject({ state: 'active' })
  expect(await codes()).toEqual(held)
  house.clock.set('2026-11-22T00:10:00Z')
  await look()
  expect(await codes()).toEqual([])
})

test('a rule that deactivates the SIM for a while leaves the block of one that holds longer', async () => {
  const { make, look, codes, sim } = await heavyScene({ lasts: 'month' })
  await look()
  await make({ name: 'Short', action: 'deactivate_sim', lasts: 'day' })
  await look()
  expect(await sim()).toMatchObject({ state: 'inactive', blocks: [{ code: 'rule' }] })
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await sim()).toMatchObject({ state: 'active', blocks: [{ code: 'rule' }] })
  house.clock.set('2026-12-01T00:00:00Z')
  await look()
  expect(await codes()).toEqual([])
})

test('of two rules that block the one that holds longer keeps the block', async () => {
  const { owner, params, make, look, codes, rule_id, firings, sim, sentences } = await heavyScene({ lasts: 'day' })
  await look()
  const { since } = (await sim()).blocks[0]!
  const long = await make({ name: 'Long', action: 'block_sim', lasts: 'month' })
  await look()
  expect((await sim()).blocks).toMatchObject([{ code: 'rule', since, words: 'The alert rule Long fired', rule_id: long }])
  expect(await firings(rule_id)).toMatchObject([{ words: 'Not taken back. Another rule has taken the SIM over' }])
  expect(await sentences()).toContain(
    'The SIM of truck stays blocked, for another reason: The alert rule Long fired. Before: The alert rule Heavy fired'
  )
  await house.db
    .updateTable('asset')
    .set({ created_at: new Date('2026-11-01') })
    .where('id', '=', params.asset_id)
    .execute()
  house.clock.advance({ minutes: 1 })
  const { spans } = (await owner.call(getServiceHistory, { params })).body
  const held = spans.flatMap(({ blocks }) => blocks.map((block) => [block.since, block.words]))
  expect(held).toEqual([
    [since, 'The alert rule Heavy fired'],
    [since, 'The alert rule Long fired'],
  ])
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await codes()).toEqual(['rule'])
  house.clock.set('2026-12-01T00:00:00Z')
  await look()
  expect(await codes()).toEqual([])
})

test('a rule that takes the block off for a day brings back what the other one held, with its name', async () => {
  const { make, look, sim, codes, rule_id } = await heavyScene({ lasts: 'month' })
  await look()
  await make({ name: 'Calm', action: 'unblock_sim', lasts: 'day' })
  await look()
  expect(await codes()).toEqual([])
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect((await sim()).blocks).toMatchObject([{ words: 'The alert rule Heavy fired', rule_id }])
})

test('a rule that is renamed has its blocks say so, and nothing else of them changes', async () => {
  const { owner, fields, look, rule_id, sim, sentences } = await heavyScene()
  await look()
  const [before] = (await sim()).blocks
  const body = fields({ name: 'Busy', action: 'block_sim' })
  expect((await owner.call(ops.updateRule, { params: { rule_id }, body })).status).toBe(200)
  await house.settle()
  expect((await sim()).blocks).toEqual([{ ...before, words: 'The alert rule Busy fired' }])
  expect((await sentences()).filter((sentence) => sentence.startsWith('The SIM of truck stays'))).toEqual([])
})

test('a rule does not block once whoever set it up may not change SIMs any more', async () => {
  const { owner, rule_id, look, codes, firings } = await heavyScene()
  await house.db.updateTable('alert_rule').set({ person_id: 'per_gone' }).where('id', '=', rule_id).execute()
  await look()
  expect(await codes()).toEqual([])
  expect(await firings(rule_id)).toMatchObject([{ state: 'left', words: 'Whoever set up the rule may no longer change SIMs' }])
  expect((await owner.call(ops.getRule, { params: { rule_id } })).body.failed_words).toContain('has left the team')
})

test('another rule takes the block off, and what else is held against the SIM stays', async () => {
  const { make, look, codes, sentences, rule_id, owner, truck } = await heavyScene()
  await look()
  const [block] = (await house.db.selectFrom('sim').select('blocks').where('id', '=', truck.sim_id).executeTakeFirstOrThrow()).blocks
  const held = [block!, { ...block!, code: 'staff' as const, words: 'Fraud' }]
  await house.db
    .updateTable('sim')
    .set({ blocks: JSON.stringify(held) })
    .where('id', '=', truck.sim_id)
    .execute()
  expect(await codes()).toEqual(['staff', 'rule'])
  await owner.call(ops.disableRule, { params: { rule_id } })
  await make({ name: 'Calm', action: 'unblock_sim' })
  await look()
  expect(await codes()).toEqual(['staff'])
  expect(await sentences()).toContain('The alert rule Calm took the block of alert rules off the SIM of truck: 2 MB')
})
