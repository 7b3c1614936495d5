import { newId } from '@masthead/contract/kernel/id'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import * as ops from '@masthead/contract/notifications/rule-operations'
import type { House, Person } from '@masthead/testkit/house'
import { newAsset, type Stock } from '../test-alerts.ts'
import { actOnSims } from './act-on-sims.ts'
import { followRules } from './follow-rules.ts'
import { takeBackDue } from './take-back.ts'

export const today = '2026-11-21'
const heavy = { name: 'Heavy', metric: 'usage_day', threshold: 1_000_000 } as const

/** An owner at noon of a day, who has rules. */
export async function newScene(house: House) {
  house.clock.set(`${today}T12:00:00Z`)
  const owner = await house.newOwner('Acme')
  const { account_id } = owner
  const fields = (changes: Partial<RuleFields> = {}): RuleFields => ({ ...heavy, ...changes }) as RuleFields
  /** A rule that was switched on some days ago. */
  const make = async (changes: Partial<RuleFields> = {}, daysAgo = 0) => {
    const { body, text } = await owner.call(ops.createRule, { body: fields(changes) })
    if (!body.id) throw new Error(text)
    await owner.call(ops.enableRule, { params: { rule_id: body.id } })
    const enabled_at = new Date(house.clock.now().getTime() - daysAgo * 86_400_000)
    await house.db.updateTable('alert_rule').set({ enabled_at }).where('account_id', '=', account_id).where('id', '=', body.id).execute()
    return body.id
  }
  const look = async (minutes = 1) => {
    house.clock.advance({ minutes })
    await takeBackDue(house.app)
    await followRules(house.app)
    await actOnSims(house.app)
  }
  const firings = async (rule_id: string) => (await owner.call(ops.listFirings, { params: { rule_id }, query: {} })).body.items
  const rule = async (rule_id: string) => (await owner.call(ops.getRule, { params: { rule_id } })).body
  const asset = (name: string, tag_id?: string) => newAsset(house, owner, name, tag_id)
  /** What a SIM used on a day, of hours that are over. */
  const use = (sim: Stock, bytes: number, day = today) => useOn(house, owner, sim, bytes, day)
  const stateOf = async (sim_id: string) =>
    (
      await house.db
        .selectFrom('sim')
        .select('state')
        .where('account_id', '=', account_id)
        .where('id', '=', sim_id)
        .executeTakeFirstOrThrow()
    ).state
  return { owner, fields, make, look, firings, rule, asset, use, stateOf }
}

/** What a rule would have fired for, and what it fires for. */
export async function newTrials(house: House) {
  const scene = await newScene(house)
  const { owner, fields, make, look, firings } = scene
  const tried = async (changes: Partial<RuleFields>) => {
    const { body, text } = await owner.call(ops.previewRule, { body: fields(changes) })
    if (!body.latest) throw new Error(text)
    return body.latest.map(({ asset_name, day, value }) => [asset_name, day, value])
  }
  /** What fires at two checks: the second finds nothing new. */
  const fired = async (changes: Partial<RuleFields>) => {
    const id = await make(changes)
    await look()
    await look()
    return (await firings(id)).map(({ asset_name, day, value }) => [asset_name, day, value])
  }
  return { ...scene, tried, fired }
}

async function useOn({ db }: House, { account_id }: Person, { sim_id }: Stock, bytes_up: number, day: string) {
  const row = { account_id, sim_id, mccmnc: '260-06', rat: 'LTE', bytes_up, bytes_down: 0, day }
  await db.insertInto('usage_day').values(row).execute()
}

/** Another SIM is in use in its asset from now on. */
export async function swapSim({ db }: House, { account_id }: Person, { asset_id }: Stock): Promise<string> {
  const id = newId('sim')
  const never = { state_changed_at: null, state_changed_by: null, activated_at: null }
  const iccid = `8944${id.replaceAll(/\D/g, '').padEnd(15, '0').slice(0, 15)}`
  await db
    .insertInto('sim')
    .values({ account_id, id, asset_id, iccid, msisdn: null, eid: null, imei: null, state: 'active', ...never })
    .execute()
  await db.updateTable('asset').set({ sim_id: id }).where('account_id', '=', account_id).where('id', '=', asset_id).execute()
  return id
}
