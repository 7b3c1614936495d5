import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/assets/views/view-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import * as rules from '@masthead/contract/notifications/rule-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newAsset } from '../test-alerts.ts'
import { followRules } from './follow-rules.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const view = { name: 'Reefers', q: 'type:core', sort: '-usage' as const, columns: ['type'] }
const rule = { name: 'Reefers are there', metric: 'view_count', threshold: 1 } as const

test('a shared view is watched by a rule, which follows it and goes with it', async () => {
  const owner = await house.newOwner()
  const { body: own } = await owner.call(ops.createView, { body: { ...view, q: 'type:core' } })
  const watch = (view_id: string) => owner.call(rules.createRule, { body: { ...rule, view_id } })
  expect((await watch(own.id)).body).toMatchObject({ code: 'view_not_shared' })
  await owner.call(ops.updateView, { params: { view_id: own.id }, body: { shared: true } })
  const { body: made } = await watch(own.id)
  expect(made).toMatchObject({ view_name: 'Reefers', view_id: own.id })
  await owner.call(rules.enableRule, { params: { rule_id: made.id } })
  const alerts = async () => (await owner.call(listAlerts, { query: {} })).body.items.filter(({ source }) => source === 'policy')
  await followRules(house.app)
  expect(await alerts()).toEqual([])

  await newAsset(house, owner, 'reefer')
  await owner.call(ops.updateView, { params: { view_id: own.id }, body: { q: 'status:active' } })
  house.clock.advance({ minutes: 1 })
  await followRules(house.app)
  expect(await alerts()).toMatchObject([{ title: 'The rule Reefers are there fired', link: `/assets?view=${own.id}` }])
  expect((await owner.call(rules.previewRule, { body: { ...rule, view_id: own.id } })).body).toMatchObject({ fired: 1, sims: 0 })
  expect((await owner.call(ops.listViews, {})).body.items).toMatchObject([{ watch: { rule_id: made.id, enabled: true } }])
  expect((await owner.call(ops.updateView, { params: { view_id: own.id }, body: { shared: false } })).body).toMatchObject({
    code: 'view_is_watched',
  })
  await owner.call(ops.deleteView, { params: { view_id: own.id } })
  expect((await owner.call(rules.listRules, {})).body.items).toEqual([])
})

test('a watched view is changed and deleted by whoever may change the rule, and by nobody who sees some assets alone', async () => {
  const owner = await house.newOwner()
  const { body: tag } = await owner.call(createTag, { body: { name: 'north' } })
  const { body: watched } = await owner.call(ops.createView, { body: { ...view, shared: true } })
  await owner.call(rules.createRule, { body: { ...rule, view_id: watched.id } })
  const rights = ['assets.view', 'assets.edit', 'notifications.view', 'notifications.edit']
  const [limited, edits] = [await house.newMember(owner, rights, [tag.id]), await house.newMember(owner, rights.slice(0, 3))]
  const params = { view_id: watched.id }
  for (const each of [limited, edits]) {
    expect((await each.call(ops.updateView, { params, body: { q: 'silent:>1d' } })).body).toMatchObject({ code: 'view_is_watched' })
    expect((await each.call(ops.deleteView, { params })).body).toMatchObject({ code: 'view_is_watched' })
    expect((await each.call(ops.updateView, { params, body: { q: view.q, columns: [] } })).status).toBe(200)
  }
  const whole = await house.newMember(owner, rights)
  expect((await whole.call(ops.updateView, { params, body: { q: 'type:core silent:>1d' } })).status).toBe(200)
  expect((await whole.call(ops.deleteView, { params })).status).toBe(200)
})

test('a view that is unshared, or deleted, at the same time is watched by no rule', async () => {
  const owner = await house.newOwner()
  for (const [name, change] of Object.entries({ kept: sql`update asset_view set shared = false`, gone: sql`delete from asset_view` })) {
    const { body: shared } = await owner.call(ops.createView, { body: { ...view, name, shared: true } })
    let made!: Promise<unknown>
    await house.db.transaction().execute(async (tx) => {
      await sql`${change} where id = ${shared.id}`.execute(tx)
      let isOver = false
      made = owner.call(rules.createRule, { body: { ...rule, view_id: shared.id } }).finally(() => (isOver = true))
      await expect.poll(async () => isOver || (await waits())).toBe(true)
    })
    expect(await made).toMatchObject({ status: 409, body: { code: 'view_not_shared' } })
  }
})

const waits = async () => {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
  return rows.length > 0
}
