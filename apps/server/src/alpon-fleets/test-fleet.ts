import { newId } from '@masthead/contract/kernel/id'
import type { House } from '@masthead/testkit/house'
import './tables.ts'

/** A fleet as it stands in the database. */
export async function putFleet(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  { account_id, asset_id, name = 'Depots' }: { account_id: string; asset_id?: string; name?: string }
): Promise<string> {
  const [id, at] = [newId({ prefix: 'flt' }), clock.now()]
  await db.insertInto('fleet').values({ account_id, id, name, created_at: at, updated_at: at, updated_by: null }).execute()
  if (asset_id) await db.insertInto('fleet_asset').values({ account_id, asset_id, fleet_id: id, added_at: at }).execute()
  return id
}
