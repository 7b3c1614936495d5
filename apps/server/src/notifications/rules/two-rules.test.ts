import { afterAll, beforeAll, expect, test } from 'vitest'
import { activateSim, getAsset } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A SIM that was heavy today, and two rules of that: the second acts a minute after the first. */
async function twoRules(first: Partial<RuleFields>, second: Partial<RuleFields>) {
  const scene = await newScene(house)
  const { owner, look, make } = scene
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const one = await make({ ...first, name: 'First' })
  await look()
  const two = await make({ ...second, name: 'Second' })
  await look()
  const limit = async () => {
    const { limit_of } = (await owner.call(getAsset, { params: { asset_id: truck.asset_id } })).body.sim!.usage
    return limit_of?.scope === 'sim' ? limit_of.usual_bytes : null
  }
  const said = async (rule_id: string) => (await scene.firings(rule_id)).map(({ state, words }) => `${state} ${words}`)
  return { ...scene, truck, one, two, limit, said, state: () => scene.stateOf(truck.sim_id) }
}
const nextDay = () => house.clock.set('2026-11-22T00:00:00Z')
const nextMonth = () => house.clock.set('2026-12-01T00:00:00Z')

test('the action of a rule that holds longer stays, though an earlier one that did the same ends', async () => {
  const on = await twoRules({ action: 'deactivate_sim', lasts: 'day' }, { action: 'deactivate_sim', lasts: 'month' })
  expect(await on.said(on.one)).toEqual(['done Not taken back. Another rule has taken the SIM over'])
  expect(await on.firings(on.two)).toMatchObject([{ state: 'done', undo_at: '2026-12-01T00:00:00.000Z' }])
  const params = { rule_id: on.one, firing_id: (await on.firings(on.one))[0]!.id }
  expect((await on.owner.call(ops.undoFiring, { params })).body).toMatchObject({
    code: 'firing_settled',
    detail: 'Another rule has taken the SIM over since, and what that one did is what can be taken back',
  })
  nextDay()
  await on.look()
  expect(await on.state()).toBe('inactive')
  nextMonth()
  await on.look()
  expect(await on.state()).toBe('active')
  expect(await on.said(on.two)).toEqual(['undone By the rule, as its time was over'])
})

test('that of one that ends sooner leaves the SIM to the one that holds it', async () => {
  const on = await twoRules({ action: 'deactivate_sim', lasts: 'month' }, { action: 'deactivate_sim', lasts: 'day' })
  expect(await on.said(on.two)).toEqual(['left The SIM was so already'])
  nextDay()
  await on.look()
  expect(await on.state()).toBe('inactive')
  nextMonth()
  await on.look()
  expect(await on.state()).toBe('active')
})

test('a limit that replaced another rule’s goes back to what was before both, whichever ends first', async () => {
  const set = (bytes: number, lasts: RuleFields['lasts']) =>
    ({ action: 'set_limit', limit_bytes: bytes, limit_period: 'month', lasts }) as const
  const longer = await twoRules(set(5_000_000, 'day'), set(3_000_000, 'month'))
  expect(await longer.limit()).toBe(3_000_000)
  nextDay()
  await longer.look()
  expect(await longer.limit()).toBe(3_000_000)
  nextMonth()
  await longer.look()
  expect(await longer.limit()).toBeNull()

  const shorter = await twoRules(set(5_000_000, 'month'), set(3_000_000, 'day'))
  nextDay()
  await shorter.look()
  expect(await shorter.limit()).toBe(5_000_000)
  nextMonth()
  await shorter.look()
  expect(await shorter.limit()).toBeNull()
})

test('what somebody did between two rules is what the later one brings back', async () => {
  const scene = await newScene(house)
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const limit = { action: 'set_limit', limit_period: 'month' } as const
  await scene.make({ ...limit, limit_bytes: 5_000_000, lasts: 'day' })
  await scene.look()
  const params = { asset_id: truck.asset_id }
  expect((await scene.owner.call(setSimLimit, { params, body: { bytes: 9_000_000, period: 'month' } })).status).toBe(200)
  await scene.make({ ...limit, limit_bytes: 3_000_000, lasts: 'month' })
  await scene.look()
  nextMonth()
  await scene.look()
  expect((await scene.owner.call(getAsset, { params })).body.sim!.usage.limit_of).toMatchObject({ usual_bytes: 9_000_000 })
})

test('what somebody took off is not taken back as its time is over, where a later rule holds the SIM by then', async () => {
  const scene = await newScene(house)
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const short = await scene.make({ name: 'Short', action: 'block_sim', lasts: 'day' })
  await scene.look()
  const params = { asset_id: truck.asset_id }
  expect((await scene.owner.call(activateSim, { params })).status).toBe(200)
  await scene.make({ name: 'Long', action: 'block_sim' })
  await scene.look()
  nextDay()
  await scene.look()
  expect((await scene.owner.call(getAsset, { params })).body.sim!.blocks).toMatchObject([{ words: 'The alert rule Long fired' }])
  expect(await scene.firings(short)).toMatchObject([{ state: 'done', words: 'Not taken back. Somebody has changed the SIM since' }])
})

test.each([
  ['a lower limit of the same period', { bytes: 4_000_000, period: 'month' }, { limit_bytes: 5_000_000, limit_period: 'month' }, true],
  ['a higher one', { bytes: 6_000_000, period: 'month' }, { limit_bytes: 5_000_000, limit_period: 'month' }, false],
  [
    'a limit of a month that the days would exceed',
    { bytes: 100_000_000, period: 'month' },
    { limit_bytes: 5_000_000, limit_period: 'day' },
    true,
  ],
  ['one that they do not', { bytes: 200_000_000, period: 'month' }, { limit_bytes: 5_000_000, limit_period: 'day' }, false],
  [
    'a limit of a day that is less than the month',
    { bytes: 4_000_000, period: 'day' },
    { limit_bytes: 5_000_000, limit_period: 'month' },
    true,
  ],
] as const)('a rule that sets a limit leaves a lower one: %s', async (_, now, wanted, isLeft) => {
  const { owner, asset, use, make, look, firings } = await newScene(house)
  const truck = await asset('truck')
  const params = { asset_id: truck.asset_id }
  await owner.call(setSimLimit, { params, body: now })
  await use(truck, 2_000_000)
  const rule_id = await make({ action: 'set_limit', ...wanted })
  await look()
  const { usual_bytes } = (await owner.call(getAsset, { params })).body.sim!.usage.limit_of!
  expect(usual_bytes).toBe(isLeft ? now.bytes : wanted.limit_bytes)
  expect(await firings(rule_id)).toMatchObject([
    isLeft ? { state: 'left', words: 'The SIM has a lower limit' } : { state: 'done', words: null },
  ])
  expect((await owner.call(ops.getRule, { params: { rule_id } })).body.failed_words).toBeNull()
})
