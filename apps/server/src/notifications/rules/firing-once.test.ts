import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene, swapSim, today } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

describe('a SIM that is swapped', () => {
  test('before its action was due leaves the new one as it is', async () => {
    const { owner, asset, use, make, look, firings, stateOf } = await newScene(house)
    const truck = await asset('truck')
    await use(truck, 2_000_000)
    const id = await make({ action: 'deactivate_sim', after_minutes: 30 })
    await look()
    const swapped = await swapSim(house, owner, truck)
    await look(31)
    expect(await stateOf(swapped)).toBe('active')
    expect(await firings(id)).toMatchObject([{ state: 'left', words: 'The asset has another SIM by now' }])
  })

  test('after its action is not brought back in the new one, and is measured no longer', async () => {
    const { owner, fields, asset, use, make, look, firings, stateOf } = await newScene(house)
    const truck = await asset('truck')
    await use(truck, 2_000_000)
    const rule_id = await make({ action: 'deactivate_sim' })
    await look()
    expect(await stateOf(truck.sim_id)).toBe('inactive')
    const swapped = await swapSim(house, owner, truck)
    const firing_id = (await firings(rule_id))[0]!.id
    expect((await owner.call(ops.undoFiring, { params: { rule_id, firing_id } })).body).toMatchObject({
      code: 'firing_settled',
      detail: 'The asset has another SIM by now, so that one stays as it is',
    })
    expect(await stateOf(swapped)).toBe('active')
    expect((await owner.call(ops.previewRule, { body: fields() })).body).toMatchObject({ fired: 0 })
  })
})

describe('the alert of a rule', () => {
  const words = async (owner: Awaited<ReturnType<typeof newScene>>['owner']) =>
    (await owner.call(listAlerts, { query: {} })).body.items.filter(({ source }) => source === 'policy').map((alert) => alert.words)

  test('says of each SIM what is done to it: beyond the most of the rule nothing is', async () => {
    const { owner, asset, use, make, look } = await newScene(house)
    for (const name of ['a', 'b', 'c']) await use(await asset(name), 2_000_000)
    await make({ action: 'deactivate_sim', most_sims: 2 })
    await look()
    const said = await words(owner)
    expect(said.filter((one) => one.endsWith('Its SIM is deactivated at once.'))).toHaveLength(2)
    expect(said.filter((one) => one.endsWith('Its SIM stays as it is, because the rule may change no more SIMs in a day.'))).toHaveLength(1)
  })

  test('of many SIMs says what is done to them', async () => {
    const { owner, asset, use, make, look } = await newScene(house)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await use(await asset(name), 2_000_000)
    await make({ action: 'deactivate_sim', most_sims: 5, after_minutes: 30 })
    await look()
    expect(await words(owner)).toEqual([
      'Data of a SIM in one day. Their SIMs are deactivated in 30 minutes, unless somebody calls that off, but not those of all: some stay as they are. Which SIMs they are stands in the history of the rule.',
    ])
  })

  test('of many SIMs says of those whose usage came late that it is done at once, and of the others when', async () => {
    const { owner, asset, use, make, look } = await newScene(house)
    for (const [n, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) await use(await asset(name), 2_000_000, n < 3 ? '2026-11-20' : today)
    await make({ action: 'deactivate_sim', starts: 'day' }, 10)
    await look()
    expect(await words(owner)).toEqual([
      'Data of a SIM in one day. Their SIMs are deactivated at once or as the next day begins (UTC), unless somebody calls that off. Which SIMs they are stands in the history of the rule.',
    ])
  })
})

describe('usage that comes late', () => {
  test('fires within the hour for its day; of a day before yesterday nothing is done to the SIM', async () => {
    const { asset, use, make, look, firings, stateOf } = await newScene(house)
    const [newer, older, long] = [await asset('newer'), await asset('older'), await asset('long')]
    const id = await make({ action: 'deactivate_sim' }, 10)
    await look()
    await use(newer, 2_000_000, '2026-11-20')
    await use(older, 2_000_000, '2026-11-19')
    await use(long, 2_000_000, '2026-11-18')
    await look()
    expect(await firings(id)).toEqual([])
    await look(60)
    await look()
    const fired = (await firings(id)).map(({ asset_name, day, state, words }) => [asset_name, day, state, words])
    expect(fired.toSorted()).toEqual([
      ['newer', '2026-11-20', 'done', null],
      ['older', '2026-11-19', 'left', 'Its data came too late for an action'],
    ])
    expect(await stateOf(older.sim_id)).toBe('active')
  })

  test('of before a rule was switched on, or said what it says now, does not fire', async () => {
    const { owner, fields, asset, use, make, look, firings } = await newScene(house)
    const truck = await asset('truck')
    await use(truck, 2_000_000, '2026-11-20')
    const [fresh, edited] = [await make({}, 0.1), await make({ threshold: 3_000_000 }, 10)]
    await look()
    await owner.call(ops.updateRule, { params: { rule_id: edited }, body: fields() })
    await look(60)
    expect([await firings(fresh), await firings(edited)]).toEqual([[], []])
  })

  test('fires neither before nor after another day within the cool-down, and for the month once', async () => {
    const { owner, asset, use, make, look, firings } = await newScene(house)
    const truck = await asset('truck')
    const [cool, month] = [await make({ cooldown_days: 2 }, 10), await make({ metric: 'usage_month' }, 10)]
    await use(truck, 2_000_000)
    const counter = { account_id: owner.account_id, sim_id: truck.sim_id, period_start: '2026-11-01', bytes_up: 4_000_000, bytes_down: 0 }
    await house.db
      .insertInto('sim_counter')
      .values({ ...counter, lifetime_up: 4_000_000, lifetime_down: 0, seen_at: house.clock.now() })
      .execute()
    await look()
    await use(truck, 2_000_000, '2026-11-20')
    await look(60)
    for (const id of [cool, month]) expect((await firings(id)).map(({ day }) => day)).toEqual([today])
  })
})

test('a share of a pool fires once in its term, as its trial says', async () => {
  const { owner, fields, asset, make, look, firings } = await newScene(house)
  const truck = await asset('truck')
  const { account_id } = owner
  const at = new Date('2026-11-10T00:00:00Z')
  await sql`insert into data_package (id, name, kind, size_bytes, validity_count, validity_unit, overage_policy, created_at, created_by)
    values ('pkg_once', 'Once', 'fixed', 100, 1, 'month', 'stop', ${at}, 'x')`.execute(house.db)
  await sql`insert into data_pool (account_id, id, name, package_id, kind, unit_bytes, validity_count, validity_unit, price_micros, currency,
      prorate_first, overage_policy, auto_renew, term_starts_at, opened_at, opened_by)
    values (${account_id}, 'pol_once', 'Once', 'pkg_once', 'fixed', 100, 1, 'month', 0, 'USD', false, 'stop', true, ${at}, ${at}, 'x')`.execute(
    house.db
  )
  const term = async (starts_at: Date, bytes: number) => {
    await sql`insert into data_pool_term (account_id, pool_id, starts_at, ends_at, size_bytes, price_micros)
      values (${account_id}, 'pol_once', ${starts_at}, ${starts_at}::timestamptz + interval '1 month', 100, 0)`.execute(house.db)
    await sql`insert into data_pool_usage (account_id, pool_id, starts_at, sim_id, bytes)
      values (${account_id}, 'pol_once', ${starts_at}, ${truck.sim_id}, ${bytes})`.execute(house.db)
    await sql`update data_pool set term_starts_at = ${starts_at} where account_id = ${account_id}`.execute(house.db)
  }
  await term(at, 60)
  const share = { metric: 'pool_share', threshold: 50 } as const
  const id = await make(share)
  await look()
  house.clock.set('2026-11-22T12:00:00Z')
  await look()
  expect(await firings(id)).toMatchObject([{ day: today, value: 60 }])
  expect((await owner.call(ops.previewRule, { body: fields(share) })).body).toMatchObject({ fired: 1 })
  await term(new Date('2026-11-22T12:10:00Z'), 70)
  house.clock.set('2026-11-23T12:00:00Z')
  await look()
  expect(await firings(id)).toMatchObject([{ day: '2026-11-23', value: 70 }, { day: today }])
})
