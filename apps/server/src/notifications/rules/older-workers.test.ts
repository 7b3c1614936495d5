import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import { silenceRule } from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A rule that fired for a SIM, and what a worker writes of that. */
async function openScene(changes: Partial<RuleFields>) {
  const scene = await newScene(house)
  const { owner, asset, use, make, look } = scene
  const truck = await asset('truck')
  await use(truck, 2_000_000)
  const rule_id = await make(changes)
  await look()
  const write = (change: { outcome?: string; acted_at?: Date; before?: string; undo_left?: string }) =>
    house.db
      .updateTable('alert_rule_firing')
      .set(change)
      .where('account_id', '=', owner.account_id)
      .where('rule_id', '=', rule_id)
      .execute()
  return { ...scene, truck, rule_id, write }
}

const kept = (did: object, before: object) => JSON.stringify({ did, before })
const refused = /does not know that alert rules block SIMs/

test.each(['block_sim', 'unblock_sim'] as const)('a worker that takes %s for another action cannot finish it', async (action) => {
  const { write } = await openScene({ action, after_minutes: 60 })
  const deactivated = write({ outcome: 'changed', before: kept({ state: 'inactive' }, { state: 'active' }) })
  await expect(deactivated).rejects.toThrow(refused)
  await write({ outcome: 'already', before: kept({}, {}) })
})

test('a worker that cannot take a block off does not say that it is off already', async () => {
  const { write, look, firings, rule_id } = await openScene({ action: 'block_sim', lasts: 'day' })
  await expect(write({ undo_left: 'already' })).rejects.toThrow(refused)
  house.clock.set('2026-11-22T00:00:00Z')
  await look()
  expect(await firings(rule_id)).toMatchObject([{ state: 'undone' }])
})

/** What a rule fires for at a check of an older worker: what becomes of it. */
async function firesOlder({ owner, rule_id, asset }: Awaited<ReturnType<typeof openScene>>, id: string) {
  const { account_id } = owner
  const { asset_id, sim_id } = await asset('van')
  const at = house.clock.now()
  const firing = { account_id, rule_id, id, asset_id, sim_id, pool_id: null, day: today, value: 1, at, act_at: at }
  await house.db.insertInto('alert_rule_firing').values(firing).execute()
  return house.db.selectFrom('alert_rule_firing').select(['act_at', 'outcome']).where('id', '=', id).executeTakeFirstOrThrow()
}

test('what a worker that knows of no later beginning has begun at once waits for it all the same', async () => {
  const scene = await openScene({ action: 'deactivate_sim', starts: 'month', after_minutes: 5 })
  expect(await firesOlder(scene, 'fir_waits')).toEqual({ act_at: new Date('2026-12-01T00:05:00Z'), outcome: null })
})

test('a worker that knows of no silence changes no SIM in it', async () => {
  const scene = await openScene({ action: 'deactivate_sim', after_minutes: 30 })
  const { owner, rule_id, write } = scene
  const [at, until] = [30, 60].map((minutes) => new Date(house.clock.now().getTime() + minutes * 60_000))
  await owner.call(silenceRule, { params: { rule_id }, body: { until: until!.toISOString() } })
  expect(await firesOlder(scene, 'fir_silenced')).toEqual({ act_at: null, outcome: 'silenced' })
  const deactivated = { outcome: 'changed', before: kept({ state: 'inactive' }, { state: 'active' }) }
  await expect(write({ ...deactivated, acted_at: at! })).rejects.toThrow(/does not know that an alert rule is silenced/)
  await write({ ...deactivated, acted_at: until! })
})

test('a worker that knows of one action does not take a further one for it', async () => {
  const { owner, rule_id, look, firings } = await openScene({ action: 'imei_lock', more_actions: ['block_sim'], after_minutes: 60 })
  const further = house.db.updateTable('alert_rule_firing').where('account_id', '=', owner.account_id).where('further', '=', true)
  for (const outcome of ['changed', 'already', 'no_sim'])
    await expect(further.set({ outcome, before: kept({ imei_lock: 'lock' }, {}) }).execute()).rejects.toThrow(/does several things/)
  await look(60)
  expect((await firings(rule_id)).map(({ action, state }) => `${action} ${state}`).toSorted()).toEqual(['block_sim done', 'imei_lock done'])
})

test('a limit that an older server took from a rule, as it knows of one action, is not taken for one of nothing', async () => {
  const more = { more_actions: ['set_limit'], limit_bytes: 5_000_000 } satisfies Partial<RuleFields>
  const { owner, rule_id, look, firings } = await openScene({ action: 'imei_lock', ...more, after_minutes: 60 })
  await house.db
    .updateTable('alert_rule')
    .set({ limit_bytes: null })
    .where('account_id', '=', owner.account_id)
    .where('id', '=', rule_id)
    .execute()
  await look(60)
  expect((await firings(rule_id)).map(({ action, state, words }) => `${action} ${state} ${words}`).toSorted()).toEqual([
    'imei_lock done null',
    'set_limit left The rule names no limit any more',
  ])
})

test('a rule that a newer release alone knows how to measure is left to it, and keeps no other waiting', async () => {
  const { owner, make, look, rule, firings } = await openScene({})
  const [newer, known] = [await make({ name: 'Newer' }), await make({ name: 'Known' })]
  const { account_id } = owner
  await sql`update alert_rule set metric = 'moon_phase', looked_at = null where account_id = ${account_id} and id = ${newer}`.execute(
    house.db
  )
  await look()
  const { rows } = await sql`select looked_at, failed_words from alert_rule where account_id = ${account_id} and id = ${newer}`.execute(
    house.db
  )
  expect(rows).toEqual([{ looked_at: null, failed_words: null }])
  expect(await firings(known)).toHaveLength(1)
  expect((await rule(known)).looked_at).toBe(house.clock.now().toISOString())
})
