import type { Asset } from '@masthead/contract/assets/asset'
import type { House, Person } from '@masthead/testkit/house'
import { enrolDevice } from '../../devices/index.ts'
import { insertAssets } from '../index.ts'
import { addAsset } from '../test-stock.ts'

/** Assets beside each other in one statement: Pico LTEs with a SIM that is ready, or `bare`. */
export async function addMany(house: House, owner: Person, count: number, { bare = false } = {}) {
  const of = (i: number) => `${owner.account_id.slice(-6)}-${i}`
  const number = String(Math.floor(Math.random() * 1e9)).padStart(9, '0')
  for (let from = 0; from < count; from += 20_000) {
    const assets = Array.from({ length: Math.min(20_000, count - from) }, (_, i) => ({
      id: `ast_${of(from + i)}`,
      type: 'picolte' as const,
      serial: of(from + i),
      name: of(from + i),
      sim: bare
        ? null
        : {
            id: `sim_${of(from + i)}`,
            iccid: `89${number}${String(from + i).padStart(8, '0')}`,
            imsis: [`${number}${String(from + i).padStart(6, '0')}`],
            msisdn: null,
            eid: null,
            imei: null,
          },
    }))
    await house.db
      .transaction()
      .execute((tx) => insertAssets(tx, owner.account_id, assets, { state: 'ready', at: house.clock.now(), by: owner.email }))
  }
}

/** An asset with a CORE device that was never connected. */
export async function addCore(house: House, owner: Person): Promise<Asset> {
  const asset = await addAsset(house, owner, { type: 'core' })
  const of = { account_id: owner.account_id, asset_id: asset.id, at: house.clock.now() }
  await house.db.transaction().execute((tx) => enrolDevice(tx, { ...of, kind: 'core' }))
  return asset
}

/** Its active SIM is blocked by an alert rule. */
export async function holdByRule(house: House, { sim }: Asset) {
  const block = {
    code: 'rule',
    since: '2026-11-20T09:00:00Z',
    by: 'system',
    words: 'The alert rule Heavy fired',
    clears: 'Later',
    rule_id: 'rul_heavy',
  }
  const blocks = JSON.stringify([block])
  await house.db.updateTable('sim').set({ state: 'active', activated_at: house.clock.now(), blocks }).where('id', '=', sim!.id).execute()
}
