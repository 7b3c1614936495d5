import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function silencing() {
  const scene = await newScene(house)
  const { owner } = scene
  const silence = (rule_id: string, until: string | null) => owner.call(ops.silenceRule, { params: { rule_id }, body: { until } })
  const inMinutes = (minutes: number) => new Date(house.clock.now().getTime() + minutes * 60_000).toISOString()
  /** Alerts of rules. */
  const alerts = async () =>
    (await owner.call(listAlerts, { query: {} })).body.items.filter(({ title }) => title.startsWith('The rule ')).length
  const said = async () =>
    (await house.events(owner.account_id)).filter(({ name }) => name === 'notifications.rule_silenced').map(({ detail }) => detail)
  return { ...scene, silence, inMinutes, alerts, said }
}

test('a rule that is silenced keeps what it fires for, notifies nobody and changes no SIM; later it does again', async () => {
  const { make, silence, inMinutes, asset, use, look, firings, rule, stateOf, alerts, said } = await silencing()
  const rule_id = await make({ action: 'deactivate_sim' })
  const until = inMinutes(30)
  expect((await silence(rule_id, until)).body).toMatchObject({ silenced_until: until, enabled: true })
  await silence(rule_id, until)
  expect(await said()).toEqual([{ rule_id, rule_name: 'Heavy', until }])

  const first = await asset('first')
  await use(first, 2_000_000)
  await look()
  expect(await firings(rule_id)).toMatchObject([{ asset_name: 'first', state: 'silenced', act_at: null, words: 'The rule was silenced' }])
  expect([await stateOf(first.sim_id), await alerts()]).toEqual(['active', 0])

  await look(30)
  expect((await rule(rule_id)).silenced_until).toBeNull()
  // What fired meanwhile is not said again that day.
  expect(await stateOf(first.sim_id)).toBe('active')
  const second = await asset('second')
  await use(second, 2_000_000)
  await look()
  expect(await firings(rule_id)).toMatchObject([{ asset_name: 'second', state: 'done' }, { state: 'silenced' }])
  expect([await stateOf(second.sim_id), await alerts()]).toEqual(['inactive', 1])
})

test('an action that falls due in the silence is not done; one that is due after it is', async () => {
  const { make, silence, inMinutes, asset, use, look, firings, stateOf } = await silencing()
  const soon = await make({ name: 'Soon', action: 'deactivate_sim', after_minutes: 10 })
  const later = await make({ name: 'Later', action: 'deactivate_sim', after_minutes: 120 })
  const sim = await asset('pump')
  await use(sim, 2_000_000)
  await look()
  for (const id of [soon, later]) await silence(id, inMinutes(60))
  await look(30)
  expect(await firings(soon)).toMatchObject([{ state: 'silenced', words: 'The rule was silenced' }])
  expect([(await firings(later))[0]!.state, await stateOf(sim.sim_id)]).toEqual(['waiting', 'active'])
  await look(120)
  expect([(await firings(later))[0]!.state, await stateOf(sim.sim_id)]).toEqual(['done', 'inactive'])
})

test('a silence is ended before its time, and none begins in the past', async () => {
  const { make, silence, inMinutes, asset, use, look, firings, alerts, said } = await silencing()
  const rule_id = await make()
  expect(await silence(rule_id, inMinutes(-1))).toMatchObject({
    status: 400,
    body: { fields: { until: 'Choose a time that is still to come' } },
  })
  const until = inMinutes(600)
  await silence(rule_id, until)
  expect((await silence(rule_id, null)).body.silenced_until).toBeNull()
  expect(await said()).toMatchObject([{ until }, { until: null }])
  await use(await asset('pump'), 2_000_000)
  await look()
  expect(await firings(rule_id)).toMatchObject([{ state: 'told' }])
  expect(await alerts()).toBe(1)
})
