import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { setImeiLock, setSimLimit } from '@masthead/contract/assets/sim-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { resolveEndedCauses } from '../ended-causes.ts'
import { newScene } from './test-scene.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const simOf = (owner: Person, sim_id: string) =>
  house.db
    .selectFrom('sim')
    .select(['state', 'imei_lock', 'imeis'])
    .where('account_id', '=', owner.account_id)
    .where('id', '=', sim_id)
    .executeTakeFirstOrThrow()

const limitOf = async (owner: Person, asset_id: string) => (await owner.call(getAsset, { params: { asset_id } })).body.sim!.usage.limit_of

const sentences = async (owner: Person) => (await owner.call(listActivities, { query: {} })).body.items.map(({ sentence }) => sentence)

/** A SIM that was heavy today, and a rule of that. */
async function heavyScene(changes: Partial<RuleFields>) {
  const scene = await newScene(house)
  const truck = await scene.asset('truck')
  await scene.use(truck, 2_000_000)
  const rule_id = await scene.make(changes)
  return { ...scene, truck, rule_id }
}

describe('an action', () => {
  test('puts the SIM on standby, and is taken back', async () => {
    const { owner, truck, rule_id, look, firings } = await heavyScene({ action: 'standby_sim' })
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('standby')
    expect(await sentences(owner)).toContain('The alert rule Heavy put the SIM of truck on standby: 2 MB')
    const [firing] = await firings(rule_id)
    await owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
  })

  test('activates the SIM', async () => {
    const { owner, truck, look } = await heavyScene({ action: 'activate_sim' })
    await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', truck.sim_id).execute()
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
    expect(await sentences(owner)).toContain('The alert rule Heavy activated the SIM of truck: 2 MB')
  })

  test('locks the SIM to the device it was in last, but not where the rule fires because that is another one', async () => {
    const { owner, fields, truck, look } = await heavyScene({ action: 'imei_lock' })
    await house.db.updateTable('sim').set({ imei: '356938035643809' }).where('id', '=', truck.sim_id).execute()
    await look()
    expect(await simOf(owner, truck.sim_id)).toMatchObject({ imei_lock: 'lock', imeis: ['356938035643809'] })
    const { body } = await owner.call(ops.createRule, { body: fields({ metric: 'device_changed', threshold: 1, action: 'imei_lock' }) })
    expect(body).toMatchObject({ fields: { action: expect.stringContaining('the device that it has moved to') as string } })
  })

  test('gives the SIM a limit, which a rule must name', async () => {
    const { owner, fields, truck, rule_id, look, rule } = await heavyScene({
      action: 'set_limit',
      limit_bytes: 5_000_000,
      limit_period: 'day',
    })
    await look()
    expect(await limitOf(owner, truck.asset_id)).toMatchObject({ scope: 'sim', usual_bytes: 5_000_000 })
    expect(await rule(rule_id)).toMatchObject({ limit_bytes: 5_000_000, limit_period: 'day' })
    expect((await owner.call(ops.createRule, { body: fields({ action: 'set_limit' }) })).body).toMatchObject({
      fields: { limit_bytes: 'Enter a limit' },
    })
  })

  test('is tried before, and each says what it would have done', async () => {
    const { owner, fields } = await heavyScene({})
    for (const action of ['activate_sim', 'standby_sim', 'block_sim', 'unblock_sim', 'imei_lock', 'set_limit'] as const)
      expect([action, (await owner.call(ops.previewRule, { body: fields({ action, limit_bytes: 5_000_000 }) })).body.acted]).toEqual([
        action,
        1,
      ])
  })
})

describe('an action that holds until the next month', () => {
  test('is taken back as that begins, also of a rule that is switched off by now', async () => {
    const { owner, truck, rule_id, look, firings, rule } = await heavyScene({ action: 'deactivate_sim', lasts: 'month' })
    expect((await rule(rule_id)).due_back).toBe(0)
    await look()
    expect((await rule(rule_id)).due_back).toBe(1)
    expect(await firings(rule_id)).toMatchObject([{ state: 'done', undo_at: '2026-12-01T00:00:00.000Z' }])
    await owner.call(ops.disableRule, { params: { rule_id } })
    house.clock.set('2026-11-30T23:58:00Z')
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('inactive')
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
    expect(await firings(rule_id)).toMatchObject([{ state: 'undone', undo_at: null, words: 'By the rule, as its time was over' }])
    expect((await rule(rule_id)).due_back).toBe(0)
    expect((await sentences(owner)).filter((one) => one.startsWith('Took back'))).toEqual([
      'Took back what the alert rule Heavy did to truck',
    ])
    await look()
    expect((await sentences(owner)).filter((one) => one.startsWith('Took back'))).toHaveLength(1)
  })

  test('takes a limit away that it gave, and leaves one that somebody has changed since', async () => {
    const { owner, truck, rule_id, asset, use, look, firings } = await heavyScene({
      action: 'set_limit',
      limit_bytes: 5_000_000,
      lasts: 'day',
    })
    const van = await asset('van')
    await use(van, 3_000_000)
    await look()
    await owner.call(setSimLimit, { params: { asset_id: van.asset_id }, body: { bytes: 9_000_000, period: 'month' } })
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect(await limitOf(owner, truck.asset_id)).toBeNull()
    expect(await limitOf(owner, van.asset_id)).toMatchObject({ usual_bytes: 9_000_000 })
    expect((await firings(rule_id)).map(({ asset_name, state, words }) => `${asset_name} ${state} ${words}`).toSorted()).toEqual([
      'truck undone By the rule, as its time was over',
      'van done Not taken back. Somebody has changed the SIM since',
    ])
  })

  test('leaves a SIM as it is whose accepted devices somebody has changed since', async () => {
    const { owner, truck, rule_id, look, firings } = await heavyScene({ action: 'imei_lock', lasts: 'day' })
    await house.db.updateTable('sim').set({ imei: '356938035643809' }).where('id', '=', truck.sim_id).execute()
    await look()
    const imeis = ['356938035643809', '490154203237518']
    const { status } = await owner.call(setImeiLock, { params: { asset_id: truck.asset_id }, body: { mode: 'lock', imeis } })
    expect(status).toBe(200)
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect(await simOf(owner, truck.sim_id)).toMatchObject({ imei_lock: 'lock', imeis })
    expect(await firings(rule_id)).toMatchObject([{ state: 'done', words: 'Not taken back. Somebody has changed the SIM since' }])
  })

  test('unlocks a SIM that was in no device yet and is locked to its first one by now', async () => {
    const { owner, truck, look } = await heavyScene({ action: 'imei_lock', lasts: 'day' })
    await look()
    expect(await simOf(owner, truck.sim_id)).toMatchObject({ imei_lock: 'lock', imeis: [] })
    await house.db
      .updateTable('sim')
      .set({ imei: '356938035643809', imeis: ['356938035643809'] })
      .where('id', '=', truck.sim_id)
      .execute()
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect(await simOf(owner, truck.sim_id)).toMatchObject({ imei_lock: null, imeis: [] })
  })

  test('is taken back though somebody who may not change SIMs has made the rule a notification since', async () => {
    const { owner, truck, rule_id, look, fields, stateOf } = await heavyScene({ action: 'deactivate_sim', lasts: 'day' })
    await look()
    const member = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'])
    expect((await member.call(ops.updateRule, { params: { rule_id }, body: fields() })).body).toMatchObject({ action: 'tell' })
    expect(await stateOf(truck.sim_id)).toBe('inactive')
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect(await stateOf(truck.sim_id)).toBe('active')
  })

  test('of an account that is closed stays until it is open again; what was to come is left', async () => {
    const { owner, truck, rule_id, asset, use, look, firings, fields } = await heavyScene({ action: 'deactivate_sim', lasts: 'day' })
    await look()
    const { body } = await owner.call(ops.createRule, { body: fields({ name: 'Later', action: 'deactivate_sim', after_minutes: 60 }) })
    await owner.call(ops.enableRule, { params: { rule_id: body.id } })
    const van = await asset('van')
    await use(van, 3_000_000)
    await look()
    const close = (closed_at: Date | null) =>
      house.db.updateTable('account').set({ closed_at }).where('id', '=', owner.account_id).execute()
    await close(house.clock.now())
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('inactive')
    await close(null)
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
    expect(await firings(rule_id)).toContainEqual(expect.objectContaining({ asset_name: 'truck', state: 'undone' }))
    const later = await firings(body.id)
    expect(later.length).toBeGreaterThan(0)
    expect(new Set(later.map(({ words }) => words))).toEqual(new Set(['The account was closed or suspended']))
  })

  test('and was taken back by somebody is left as it is then', async () => {
    const { owner, truck, rule_id, look, firings } = await heavyScene({ action: 'deactivate_sim', lasts: 'day' })
    await look()
    const [firing] = await firings(rule_id)
    await owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })
    await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', truck.sim_id).execute()
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('inactive')
    expect(await firings(rule_id)).toMatchObject([{ state: 'undone', words: `By ${owner.email}` }])
  })
})

describe('whoever set up a rule that changes SIMs', () => {
  const rights = ['notifications.view', 'notifications.edit', 'assets.view', 'assets.edit']
  /** A member who switches a rule of the owner's on answers for it. */
  async function memberScene(changes: Partial<RuleFields> = {}) {
    const scene = await heavyScene({ action: 'deactivate_sim', ...changes })
    const member = await house.newMember(scene.owner, rights)
    const switchOn = (who: Person) => who.call(ops.enableRule, { params: { rule_id: scene.rule_id } })
    await scene.owner.call(ops.disableRule, { params: { rule_id: scene.rule_id } })
    expect((await switchOn(member)).status).toBe(200)
    const { id } = await house.db.selectFrom('person').select('id').where('email', '=', member.email).executeTakeFirstOrThrow()
    const set = (permissions: string[]) => house.db.updateTable('membership').set({ permissions }).where('person_id', '=', id).execute()
    const leave = () => house.db.deleteFrom('membership').where('person_id', '=', id).execute()
    return { ...scene, switchOn, set, leave }
  }

  test('and has lost the right to: it only notifies, and says so, until somebody who may switches it on again', async () => {
    const { owner, truck, rule_id, asset, use, look, firings, rule, set, switchOn } = await memberScene()
    await set(rights.filter((one) => one !== 'assets.edit'))
    await look()
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
    expect(await firings(rule_id)).toMatchObject([{ state: 'left', words: 'Whoever set up the rule may no longer change SIMs' }])
    expect((await rule(rule_id)).failed_words).toBe(
      'Whoever set it up may no longer change all SIMs, so that it only notifies. Somebody who may change SIMs can save it again'
    )
    const { items } = (await owner.call(listAlerts, { query: {} })).body
    expect(items.map(({ words }) => words)).toContain(
      'Data of a SIM in one day: 2 MB on 21 Nov 2026 (UTC). Its SIM stays as it is, because whoever set up the rule may no longer change SIMs.'
    )
    const failing = async () => {
      await resolveEndedCauses(house.app)
      const { items: all } = (await owner.call(listAlerts, { query: {} })).body
      return all.filter(({ title }) => title === 'The rule Heavy does not work as it should').map(({ state, count }) => `${state} ${count}`)
    }
    await look()
    expect(await failing()).toEqual(['open 1'])
    await owner.call(ops.disableRule, { params: { rule_id } })
    expect(await failing()).toEqual(['resolved 1'])
    await switchOn(owner)
    const van = await asset('van')
    await use(van, 3_000_000)
    await look()
    expect((await simOf(owner, van.sim_id)).state).toBe('inactive')
    expect((await rule(rule_id)).failed_words).toBeNull()
  })

  test('and leaves before its action is due: the SIM stays as it is', async () => {
    const { owner, truck, rule_id, look, firings, leave } = await memberScene({ after_minutes: 30 })
    await look()
    expect(await firings(rule_id)).toMatchObject([{ state: 'waiting' }])
    await leave()
    await look(31)
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
    expect(await firings(rule_id)).toMatchObject([{ state: 'left', words: 'Whoever set up the rule may no longer change SIMs' }])
  })

  test('and leaves before it is taken back: somebody else can do that', async () => {
    const { owner, truck, rule_id, look, firings, leave } = await memberScene({ lasts: 'day' })
    await look()
    await leave()
    house.clock.set('2026-11-22T00:00:00Z')
    await look()
    const [firing] = await firings(rule_id)
    expect(firing).toMatchObject({ state: 'done', words: 'Not taken back. Whoever set up the rule may no longer change SIMs' })
    expect((await simOf(owner, truck.sim_id)).state).toBe('inactive')
    expect((await owner.call(ops.undoFiring, { params: { rule_id, firing_id: firing!.id } })).status).toBe(200)
    expect((await simOf(owner, truck.sim_id)).state).toBe('active')
  })
})
