import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { ruleValue, type RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putPool } from '../../datapools/test-pools.ts'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const rule = { name: 'Nearly empty', metric: 'pool_use', threshold: 80 } as const satisfies Partial<RuleFields>

/** An account with two pools of a thousand bytes; `take` says how many of them are used. */
async function newPools() {
  const scene = await newScene(house)
  const { owner } = scene
  const [small, large] = [await putPool(house, owner), await putPool(house, owner)]
  const take = (pool_id: string, bytes: number) =>
    sql`insert into data_pool_counter (account_id, pool_id, starts_at, part, within_bytes)
      select account_id, id, term_starts_at, 0, ${bytes} from data_pool where id = ${pool_id}
      on conflict (account_id, pool_id, starts_at, part) do update set within_bytes = excluded.within_bytes`.execute(house.db)
  const nameOf = async (id: string) =>
    (await house.db.selectFrom('data_pool').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  return { ...scene, small, large, take, nameOf }
}

test('a rule of data pools fires for each pool that is used so far, once in its term, and is tried before', async () => {
  const { owner, small, large, take, nameOf, make, look, firings, fields } = await newPools()
  await take(small, 850)
  await take(large, 799)
  const pool_name = await nameOf(small)
  const trial = (await owner.call(ops.previewRule, { body: fields(rule) })).body
  expect(trial).toMatchObject({ fired: 1, sims: 1, acted: 0, latest: [{ asset_id: null, pool_id: small, pool_name, value: 85 }] })
  const rule_id = await make(rule)
  await look()
  await look()
  const fired = { pool_id: small, pool_name, asset_id: null, value: 85, state: 'told' }
  expect(await firings(rule_id)).toMatchObject([fired])
  const { items } = (await owner.call(listAlerts, { query: {} })).body
  expect(items.map(({ title, words, link }) => [title, words, link])).toEqual([
    [
      `The rule Nearly empty fired for the data pool ${pool_name}`,
      'Share of a data pool that is used: 85 % on 21 Nov 2026 (UTC).',
      `/datapools?pool=${small}`,
    ],
  ])
  // The other one on the same day.
  await take(large, 990)
  await look()
  expect((await firings(rule_id)).map(({ pool_id, value }) => [pool_id, value])).toEqual([
    [large, 99],
    [small, 85],
  ])
})

test('a rule of pools that end fires days before for those that do not renew, once in the term', async () => {
  const { owner, make, look, firings, fields, nameOf } = await newPools()
  const once = await putPool(house, owner, { auto_renew: false, validity_count: 10, validity_unit: 'day' })
  await putPool(house, owner, { auto_renew: false, validity_count: 20, validity_unit: 'day' })
  const ends = { name: 'Ends soon', metric: 'pool_ends', threshold: 7 } as const
  const tried = async () => (await owner.call(ops.previewRule, { body: fields(ends) })).body.latest
  expect(await tried()).toEqual([])
  const rule_id = await make(ends)
  await look()
  expect(await firings(rule_id)).toEqual([])
  house.clock.advance({ days: 3 })
  expect(await tried()).toMatchObject([{ pool_id: once }])
  await look()
  house.clock.advance({ days: 2 })
  await look()
  const [fired, ...others] = await firings(rule_id)
  expect([fired, others]).toMatchObject([{ pool_id: once, pool_name: await nameOf(once) }, []])
  expect(ruleValue('pool_ends', fired!.value!)).toBe('6 days')
  const { items } = (await owner.call(listAlerts, { query: {} })).body
  expect(items.map(({ words }) => words)).toEqual(['Days until a data pool ends that does not renew: 6 days on 24 Nov 2026 (UTC).'])
})

test('who may not see data pools makes and tries no rule of them, and is not shown which one fired', async () => {
  const { owner, small, take, make, look, fields } = await newPools()
  await take(small, 1000)
  const rule_id = await make(rule)
  await look()
  const rights = ['notifications.view', 'notifications.edit', 'assets.view']
  const blind = await house.newMember(owner, rights)
  for (const op of [ops.createRule, ops.previewRule]) expect((await blind.call(op, { body: fields(rule) })).status).toBe(403)
  expect((await blind.call(ops.listFirings, { params: { rule_id }, query: {} })).body.items).toMatchObject([
    { pool_id: null, pool_name: null, asset_id: null },
  ])
  expect((await blind.call(listAlerts, { query: {} })).body.items).toEqual([])
  const seeing = await house.newMember(owner, [...rights, 'datapools.view'])
  expect((await seeing.call(ops.previewRule, { body: fields(rule) })).body).toMatchObject({ fired: 1 })
  expect((await seeing.call(listAlerts, { query: {} })).body.items).toHaveLength(1)
})

test('a rule of data pools asks for no assets and does nothing to SIMs', async () => {
  const { owner, fields } = await newScene(house)
  const made = async (changes: Partial<RuleFields>) => (await owner.call(ops.createRule, { body: fields({ ...rule, ...changes }) })).body
  expect(await made({ scope: 'tag:fleet' })).toMatchObject({
    fields: { scope: 'A rule of data pools or of the whole account asks for no assets' },
  })
  expect(await made({ action: 'deactivate_sim' })).toMatchObject({ fields: { action: 'Only a rule of SIMs does something to SIMs' } })
})
