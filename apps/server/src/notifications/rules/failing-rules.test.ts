import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as views from '@masthead/contract/assets/views/view-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { createTag, updateTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { resolveEndedCauses } from '../ended-causes.ts'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('a rule that fails', () => {
  test('says so, and keeps the rules and the actions of nobody else waiting', async () => {
    const poisoned = await newScene(house)
    const bad = await poisoned.make({ metric: 'silent_hours', threshold: 3 })
    // Of before there was a most.
    await sql`update alert_rule set threshold = 3000000000 where id = ${bad}`.execute(house.db)
    const { asset, use, make, look, firings, stateOf } = await newScene(house)
    const truck = await asset('truck')
    await use(truck, 2_000_000)
    const good = await make({ action: 'deactivate_sim' })
    await look()
    expect(await firings(good)).toMatchObject([{ state: 'done' }])
    expect(await stateOf(truck.sim_id)).toBe('inactive')
    expect(await poisoned.rule(bad)).toMatchObject({ failed_words: 'Masthead met an error while it measured. It tries again each minute' })
    const said = async () =>
      (await poisoned.owner.call(listAlerts, { query: {} })).body.items.map(({ title, words, count }) => [title, words, count])
    expect(await said()).toEqual([])
    // It meets that each time: whoever has the rule is notified, once.
    await look()
    await look()
    expect(await said()).toEqual([
      [
        'The rule Heavy does not work as it should',
        'Masthead meets an error each time it measures, so that the rule finds nothing. Ask support staff: the log has the cause.',
        1,
      ],
    ])
  })

  test('in its action leaves that of other SIMs to be done, and is given up after an hour', async () => {
    const { asset, use, make, look, firings, stateOf } = await newScene(house)
    const [stuck, other] = [await asset('stuck'), await asset('other')]
    for (const sim of [stuck, other]) await use(sim, 2_000_000)
    const allow = await refuse(stuck.sim_id)
    const id = await make({ action: 'deactivate_sim' })
    await look()
    expect([await stateOf(stuck.sim_id), await stateOf(other.sim_id)]).toEqual(['active', 'inactive'])
    expect((await firings(id)).map(({ state }) => state).toSorted()).toEqual(['done', 'waiting'])
    await look(60)
    expect((await firings(id)).map(({ state, words }) => `${state} ${words}`).toSorted()).toEqual([
      'done null',
      'left It failed each time it was tried, for an hour',
    ])
    await allow()
  })

  test('in its action that is tried long after it was due is tried again, and so is taking it back', async () => {
    const { asset, use, make, look, firings, stateOf } = await newScene(house)
    const truck = await asset('truck')
    await use(truck, 2_000_000)
    const id = await make({ action: 'deactivate_sim', after_minutes: 30, lasts: 'day' })
    await look()
    const first = await refuse(truck.sim_id)
    await look(150)
    expect(await firings(id)).toMatchObject([{ state: 'waiting' }])
    await first()
    await look()
    expect(await stateOf(truck.sim_id)).toBe('inactive')
    house.clock.set('2026-11-22T05:00:00Z')
    const second = await refuse(truck.sim_id)
    await look()
    expect(await firings(id)).toMatchObject([{ state: 'done', words: null }])
    await look(60)
    expect(await firings(id)).toMatchObject([{ state: 'done', words: 'Not taken back. It failed each time it was tried, for an hour' }])
    await second()
  })
})

/** Each change of the SIM fails from now on, until what it answers is called. */
async function refuse(sim_id: string) {
  await sql`create or replace function refuse_stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`.execute(
    house.db
  )
  const when = `when (new.id = '${sim_id}') execute function refuse_stuck()`
  await sql.raw(`create trigger refuse_stuck before update on sim for each row ${when}`).execute(house.db)
  return () => sql`drop trigger refuse_stuck on sim`.execute(house.db)
}

test('a rule asks for no more than can ever be measured, and no product of what it asks for is too large', async () => {
  const { owner, fields, asset, use } = await newScene(house)
  const truck = await asset('truck')
  await use(truck, 2_000_000)
  const limit = { account_id: owner.account_id, id: 'lim_big', sim_id: truck.sim_id, period: 'day', bytes: 1e15, action: 'block' }
  await house.db
    .insertInto('usage_limit')
    .values({ ...limit, created_at: house.clock.now() } as never)
    .execute()
  const trial = (metric: string, threshold: number) => owner.call(ops.previewRule, { body: fields({ metric, threshold } as never) })
  expect((await trial('limit_share', 100_000)).body).toMatchObject({ fired: 0 })
  for (const [metric, most] of [
    ['silent_hours', 8760],
    ['device_offline', 525_600],
    ['device_disk', 100_000],
    ['pool_share', 100_000],
    ['usual_times', 1_000_000],
  ] as const) {
    expect([metric, (await trial(metric, most)).status]).toEqual([metric, 200])
    expect([metric, (await trial(metric, most + 1)).body]).toMatchObject([
      metric,
      { fields: { threshold: 'It is never as much as that: enter less' } },
    ])
  }
})

test('a trial that takes too long says so', { timeout: 30_000 }, async () => {
  const { owner, fields } = await newScene(house)
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table usage_day in access exclusive mode`.execute(tx)
    expect((await owner.call(ops.previewRule, { body: fields() })).body).toMatchObject({
      code: 'invalid_request',
      detail: 'It takes too long to be looked at. Name fewer assets',
    })
  })
})

test('a rule that takes too long to be measured is an alert until it does not', { timeout: 30_000 }, async () => {
  // Those of the tests before would take as long.
  await sql`update alert_rule set enabled_at = null`.execute(house.db)
  const { owner, make, look } = await newScene(house)
  await make()
  const failing = async () => {
    const { items } = (await owner.call(listAlerts, { query: {} })).body
    return items.map(({ title, words, state }) => [title, words, state])
  }
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table usage_day in access exclusive mode`.execute(tx)
    await look()
  })
  const said = ['The rule Heavy does not work as it should', 'It takes too long to be looked at. Name fewer assets.']
  expect(await failing()).toEqual([[...said, 'open']])
  await look()
  await resolveEndedCauses(house.app)
  expect(await failing()).toEqual([[...said, 'resolved']])
})

test('a rule or a watched view whose line names what is no longer there says so', async () => {
  const { owner, make, look, rule } = await newScene(house)
  const { body: tag } = await owner.call(createTag, { body: { name: 'north' } })
  const { body: view } = await owner.call(views.createView, {
    body: { name: 'North', q: 'tag:north', sort: '-usage', columns: [], shared: true },
  })
  const id = await make({ scope: '(tag:north or -tag:NORTH) group:default' })
  const watching = await make({ metric: 'view_count', threshold: 1, view_id: view.id })
  await look()
  for (const one of [id, watching]) expect(await rule(one)).toMatchObject({ failed_words: null })
  await owner.call(updateTag, { params: { tag_id: tag.id }, body: { name: 'south' } })
  await look()
  for (const one of [id, watching])
    expect(await rule(one)).toMatchObject({ failed_words: expect.stringContaining('There is no tag “north”') as string })
})

test('whoever may not see assets makes and tries no rule, and is not shown for which assets one fired', async () => {
  const { owner, fields, asset, use, make, look, firings } = await newScene(house)
  await use(await asset('truck'), 2_000_000)
  const rule_id = await make()
  await look()
  expect(await firings(rule_id)).toMatchObject([{ asset_name: 'truck' }])
  const member = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'usage.view'])
  expect((await member.call(ops.previewRule, { body: fields() })).body).toMatchObject({ code: 'forbidden' })
  expect((await member.call(ops.createRule, { body: fields() })).body).toMatchObject({ code: 'forbidden' })
  expect((await member.call(ops.updateRule, { params: { rule_id }, body: fields() })).body).toMatchObject({ code: 'forbidden' })
  expect((await member.call(ops.listFirings, { params: { rule_id }, query: {} })).body.items).toMatchObject([
    { asset_id: null, asset_name: null, state: 'told' },
  ])
})

test('an edit calls off what waits where it decides another thing, and else does not', async () => {
  const { owner, fields, asset, use, make, look, firings, rule } = await newScene(house)
  await use(await asset('truck'), 2_000_000)
  const acts = { action: 'deactivate_sim', after_minutes: 60 } as const
  const rule_id = await make(acts)
  await look()
  expect(await rule(rule_id)).toMatchObject({ waiting: 1 })
  await owner.call(ops.updateRule, {
    params: { rule_id },
    body: fields({ ...acts, name: 'Renamed', severity: 'critical', cooldown_days: 3 }),
  })
  expect(await firings(rule_id)).toMatchObject([{ state: 'waiting' }])
  await owner.call(ops.updateRule, { params: { rule_id }, body: fields({ ...acts, threshold: 1_500_000 }) })
  expect(await firings(rule_id)).toMatchObject([{ state: 'called_off' }])
  expect(await rule(rule_id)).toMatchObject({ waiting: 0 })
})
