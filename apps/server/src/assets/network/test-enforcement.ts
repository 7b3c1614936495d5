import { newId } from '@masthead/contract/kernel/id'
import type { House } from '@masthead/testkit/house'

/** A limit that was reached. */
export async function addEnforcement(house: House, account_id: string, asset_id: string) {
  const [id, at] = [newId('enforcement'), house.clock.now()]
  const { sim_id } = await house.db.selectFrom('asset').select('sim_id').where('id', '=', asset_id).executeTakeFirstOrThrow()
  const bytes = { limit_bytes: 100, used_bytes: 120, overshoot_bytes: 20 }
  await house.db
    .insertInto('enforcement')
    .values({
      account_id,
      id,
      sim_id: sim_id!,
      asset_id,
      period_start: '2026-11-01',
      ...bytes,
      reached_at: at,
      cut_at: at,
      lifted_at: null,
    })
    .execute()
  return id
}
