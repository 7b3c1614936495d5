import type { Preference } from '@masthead/contract/notifications/preference'
import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import type { BlockCode } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import { systemActor } from '@masthead/server/kernel/app'
import { record } from '@masthead/server/kernel/record'
import type { House, Person } from '@masthead/testkit/house'

let count = 0

/** An asset with an active SIM, with a tag where one is given. */
export async function newAsset({ db }: House, { account_id }: Person, name: string, tag_id?: string) {
  const [asset_id, sim_id] = [newId('asset'), newId('sim')]
  const iccid = `8931082${String(++count).padStart(12, '0')}`
  const asset = { account_id, id: asset_id, serial: asset_id, name, type: 'plastic_sim' as const, sim_id: null, sim_status: null }
  await db.insertInto('asset').values(asset).execute()
  const never = { state_changed_at: null, state_changed_by: null, activated_at: null }
  const sim = { account_id, id: sim_id, asset_id, iccid, msisdn: null, eid: null, imei: null, state: 'active' as const, ...never }
  await db.insertInto('sim').values(sim).execute()
  if (tag_id) await db.insertInto('asset_tag').values({ account_id, asset_id, tag_id }).execute()
  return { asset_id, asset_name: name, sim_id, iccid }
}
export type Stock = Awaited<ReturnType<typeof newAsset>>

/** Blocks a SIM (or lifts its block) as the meter does: the block and its event in one transaction. */
export async function setBlock(house: House, { account_id }: Person, sim: Stock, code: BlockCode, on: boolean): Promise<string> {
  const at = house.clock.now()
  return house.db.transaction().execute(async (tx) => {
    const block = { code, since: at.toISOString(), by: 'system', words: 'Used 1 GB of 1 GB', clears: 'Next month' }
    await tx
      .updateTable('sim')
      .set({ blocks: JSON.stringify(on ? [block] : []) })
      .where('account_id', '=', account_id)
      .where('id', '=', sim.sim_id)
      .execute()
    if (on) return record(tx, systemActor(account_id, at), simBlocked, { ...sim, code, words: block.words })
    return record(tx, systemActor(account_id, at), simUnblocked, { ...sim, code })
  })
}

/** What nobody has changed. */
export const plainPreference: Preference = {
  in_app: ['info', 'warn', 'critical'],
  mail: ['warn', 'critical'],
  webhook: [],
  muted: [],
  quiet_from: null,
  quiet_to: null,
  daily_at: null,
  timezone: 'UTC',
  urgent: true,
  cooldown_minutes: 60,
}
