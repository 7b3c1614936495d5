import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newAsset, type Stock } from '../test-alerts.ts'
import { actOnSims } from './act-on-sims.ts'
import { followRules } from './follow-rules.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const today = '2026-11-21'
const usual = { name: 'Heavy', metric: 'usage_day', threshold: 1_000_000, severity: 'critical' } as const

/** An owner at noon of a day. */
async function newScene() {
  house.clock.set(`${today}T12:00:00Z`)
  const owner = await house.newOwner('Acme')
  const make = async (changes: Partial<RuleFields> = {}) => {
    const answer = await owner.call(ops.createRule, { body: { ...usual, ...changes } })
    expect(answer.status, answer.text).toBe(200)
    const { id } = answer.body!
    await owner.call(ops.enableRule, { params: { rule_id: id } })
    return id
  }
  const look = async () => {
    house.clock.advance({ minutes: 1 })
    await followRules(house.app)
    await actOnSims(house.app)
  }
  const firings = async (rule_id: string) => (await owner.call(ops.listFirings, { params: { rule_id }, query: {} })).body!.items
  return { owner, make, look, firings }
}

/** What a SIM used on a day: of hours that are over, or (today) of one that is open. */
async function use({ account_id }: Person, { sim_id }: Stock, day: string, bytes: number, mccmnc = '260-06') {
  const shared = { account_id, sim_id, mccmnc, rat: 'LTE', bytes_up: bytes, bytes_down: 0 }
  if (day === today)
    await house.db
      .insertInto('usage_open_hour')
      .values({ ...shared, hour: new Date(`${day}T11:00:00Z`) })
      .execute()
  else
    await house.db
      .insertInto('usage_day')
      .values({ ...shared, day })
      .execute()
}

const stateOf = async ({ account_id }: Person, { sim_id }: Stock) =>
  (await house.db.selectFrom('sim').select('state').where('account_id', '=', account_id).where('id', '=', sim_id).executeTakeFirstOrThrow())
    .state

describe('a rule', () => {
  test('fires once a day for a SIM in its scope, and notifies by its severity', async () => {
    const { owner, make, look, firings } = await newScene()
    const [truck, van, quiet] = [
      await newAsset(house, owner, 'truck-1'),
      await newAsset(house, owner, 'van-1'),
      await newAsset(house, owner, 'truck-2'),
    ]
    await use(owner, truck, today, 1_000_000)
    await use(owner, van, today, 5_000_000)
    await use(owner, quiet, today, 999_999)
    const id = await make({ scope: 'truck' })
    await look()
    await look()
    expect(await firings(id)).toMatchObject([{ asset_name: 'truck-1', day: today, value: 1_000_000, state: 'told' }])
    const { items } = (await owner.call(listAlerts, { query: {} })).body!
    expect(items).toMatchObject([{ severity: 'critical', title: 'The rule Heavy fired for truck-1', count: 1 }])
    expect((await owner.call(ops.getRule, { params: { rule_id: id } })).body).toMatchObject({ firings: 1, failed_words: null })
  })

  test('is checked by a clock that was set back, too', async () => {
    const { owner, make, look, firings } = await newScene()
    const truck = await newAsset(house, owner, 'truck')
    const id = await make()
    house.clock.advance({ days: 2 })
    await followRules(house.app)
    house.clock.set(`${today}T12:05:00Z`)
    await use(owner, truck, today, 1_000_000)
    await look()
    await look()
    expect(await firings(id)).toMatchObject([{ asset_name: 'truck' }])
  })

  test('that is off does nothing, and one that is deleted is gone', async () => {
    const { owner, make, look, firings } = await newScene()
    await use(owner, await newAsset(house, owner, 'truck'), today, 2_000_000)
    const id = await make()
    await owner.call(ops.disableRule, { params: { rule_id: id } })
    await look()
    expect(await firings(id)).toEqual([])
    expect((await owner.call(ops.deleteRule, { params: { rule_id: id } })).status).toBe(200)
    expect((await owner.call(ops.getRule, { params: { rule_id: id } })).status).toBe(404)
  })

  test('waits for its cool-down', async () => {
    const { owner, make, look, firings } = await newScene()
    const truck = await newAsset(house, owner, 'truck')
    const [each, second] = [await make(), await make({ cooldown_days: 2 })]
    await use(owner, truck, today, 2_000_000)
    await look()
    house.clock.set('2026-11-22T12:00:00Z')
    await use(owner, truck, '2026-11-22', 2_000_000)
    await look()
    expect(await firings(each)).toHaveLength(2)
    expect(await firings(second)).toHaveLength(1)
  })
})

describe('an action', () => {
  test('deactivates the SIM, and is taken back', async () => {
    const { owner, make, look, firings } = await newScene()
    const truck = await newAsset(house, owner, 'truck')
    await use(owner, truck, today, 2_000_000)
    const rule_id = await make({ action: 'deactivate_sim' })
    await look()
    expect(await stateOf(owner, truck)).toBe('inactive')
    const [firing] = await firings(rule_id)
    expect(firing).toMatchObject({ state: 'done' })
    const undo = () => owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })
    expect((await undo()).body).toMatchObject({ state: 'undone', words: `By ${owner.email}` })
    expect(await stateOf(owner, truck)).toBe('active')
    expect((await undo()).body).toMatchObject({ code: 'firing_settled' })
    await look()
    expect(await stateOf(owner, truck)).toBe('active')
  })

  test('that is delayed can be called off, and stays off', async () => {
    const { owner, make, look, firings } = await newScene()
    const truck = await newAsset(house, owner, 'truck')
    await use(owner, truck, today, 2_000_000)
    const rule_id = await make({ action: 'deactivate_sim', after_minutes: 30 })
    await look()
    const [firing] = await firings(rule_id)
    expect(firing).toMatchObject({ state: 'waiting' })
    await owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })
    house.clock.advance({ minutes: 31 })
    await look()
    expect(await stateOf(owner, truck)).toBe('active')
    expect(await firings(rule_id)).toMatchObject([{ state: 'called_off' }])
  })

  test('that is delayed follows when it is due', async () => {
    const { owner, make, look } = await newScene()
    const truck = await newAsset(house, owner, 'truck')
    await use(owner, truck, today, 2_000_000)
    await make({ action: 'deactivate_sim', after_minutes: 30 })
    await look()
    expect(await stateOf(owner, truck)).toBe('active')
    house.clock.advance({ minutes: 30 })
    await look()
    expect(await stateOf(owner, truck)).toBe('inactive')
  })

  test('is done to no more SIMs a day than the rule says', async () => {
    const { owner, make, look, firings } = await newScene()
    const sims = await Promise.all(['a', 'b', 'c'].map((name) => newAsset(house, owner, name)))
    for (const sim of sims) await use(owner, sim, today, 2_000_000)
    const id = await make({ action: 'deactivate_sim', most_sims: 2 })
    await look()
    expect((await Promise.all(sims.map((sim) => stateOf(owner, sim)))).filter((state) => state === 'inactive')).toHaveLength(2)
    expect((await firings(id)).filter(({ state }) => state === 'left')).toHaveLength(1)
  })
})

test('a trial says what it would have done in the last 30 days, and changes nothing', async () => {
  const { owner } = await newScene()
  const truck = await newAsset(house, owner, 'truck')
  for (const day of ['2026-10-01', '2026-11-10', '2026-11-11', today]) await use(owner, truck, day, 2_000_000)
  const trial = async (changes: Partial<RuleFields>) => (await owner.call(ops.previewRule, { body: { ...usual, ...changes } })).body!
  expect(await trial({})).toMatchObject({ fired: 3, sims: 1, acted: 0, from: '2026-10-23', to: today })
  expect(await trial({ cooldown_days: 2, action: 'deactivate_sim' })).toMatchObject({ fired: 2, acted: 2 })
  expect(await trial({ threshold: 3_000_000 })).toMatchObject({ fired: 0 })
  expect(await stateOf(owner, truck)).toBe('active')
})

test('each metric finds its own', async () => {
  const { owner } = await newScene()
  const truck = await newAsset(house, owner, 'truck')
  const { account_id } = owner
  const at = (hour: string) => new Date(`${today}T${hour}:00:00Z`)
  await sql`insert into network values ('260-06', 'Play', 'PL') on conflict do nothing`.execute(house.db)
  await use(owner, truck, today, 700_000, '260-06')
  const events = {
    account_id,
    sim_id: truck.sim_id,
    asset_id: truck.asset_id,
    hour: at('10'),
    key: 'x',
    first_at: at('10'),
    last_at: at('10'),
  }
  await sql`select ensure_connection_partitions(${today}::date, ${today}::date)`.execute(house.db)
  for (const kind of ['rejected', 'accepted', 'imei_changed'] as const)
    await house.db
      .insertInto('connection_event' as never)
      .values({ ...events, kind, count: 3, before: '490154203237518', after: '356938035643809' } as never)
      .execute()
  // Another device of the same model.
  await house.db
    .insertInto('connection_event' as never)
    .values({ ...events, key: 'y', kind: 'imei_changed', count: 2, before: '490154203237518', after: '490154203237526' } as never)
    .execute()
  await house.db
    .insertInto('sim_lapse')
    .values({ account_id, sim_id: truck.sim_id, state: 'silent', start: at('02'), until: at('08') } as never)
    .execute()
  await house.db
    .insertInto('account_usage_hour')
    .values({ account_id, hour: at('11'), mccmnc: '260-06', rat: 'LTE', bytes_up: 700_000, bytes_down: 0 } as never)
    .execute()
  const fired = async (metric: RuleFields['metric'], threshold: number, countries: string[] = []) =>
    (await owner.call(ops.previewRule, { body: { ...usual, metric, threshold, countries } })).body!.fired
  for (const metric of ['refused_day', 'accepted_day', 'model_changed'] as const) {
    expect([metric, await fired(metric, 3), await fired(metric, 4)]).toEqual([metric, 1, 0])
  }
  expect([await fired('device_changed', 5), await fired('device_changed', 6)]).toEqual([1, 0])
  expect([await fired('silent_hours', 6), await fired('silent_hours', 7)]).toEqual([1, 0])
  expect([await fired('account_usage_day', 700_000), await fired('account_usage_day', 700_001)]).toEqual([1, 0])
  expect([await fired('abroad_day', 1, ['DE']), await fired('abroad_day', 1, ['PL'])]).toEqual([1, 0])
  expect([await fired('within_day', 1, ['DE']), await fired('within_day', 1, ['PL'])]).toEqual([0, 1])
})

test('whoever may not change SIMs makes no rule that does, and whoever sees some assets alone makes none', async () => {
  const { owner } = await newScene()
  const teller = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'])
  expect((await teller.call(ops.createRule, { body: usual })).status).toBe(200)
  expect((await teller.call(ops.createRule, { body: { ...usual, action: 'deactivate_sim' } })).body).toMatchObject({
    code: 'rule_acts_on_sims',
  })
  const { body: tag } = await owner.call(createTag, { body: { name: 'north' } })
  const limited = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'], [tag!.id])
  expect((await limited.call(ops.createRule, { body: usual })).body).toMatchObject({ code: 'rule_needs_all_assets' })
})

test('whoever sees some assets alone sees the firings of those', async () => {
  const { owner, make, look } = await newScene()
  const { body: tag } = await owner.call(createTag, { body: { name: 'north' } })
  const [own, other] = [await newAsset(house, owner, 'own', tag!.id), await newAsset(house, owner, 'other')]
  for (const sim of [own, other]) await use(owner, sim, today, 2_000_000)
  const rule_id = await make()
  await look()
  const limited = await house.newMember(owner, ['notifications.view', 'assets.view'], [tag!.id])
  expect((await limited.call(ops.listFirings, { params: { rule_id }, query: {} })).body!.items).toMatchObject([{ asset_name: 'own' }])
  expect((await limited.call(ops.listRules, {})).body).toMatchObject({ items: [{ firings: 1 }], sees_all: false })
})
