import type { House, Person } from '@masthead/testkit/house'
import { insertAssets } from '../index.ts'

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
