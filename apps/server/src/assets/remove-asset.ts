import type { Tx } from '../kernel/app.ts'
import { anyOf } from './viewer.ts'

/**
 * Takes an asset and its SIMs off an account; what they used, and their sessions, stay there. Answers with its name, or with null while a session
 * is open: its gateway would go on counting for nobody.
 */
export async function removeAsset(tx: Tx, account_id: string, id: string): Promise<string | null> {
  const sims = await tx
    .selectFrom('sim')
    .select('id')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const open = await tx
    .selectFrom('data_session')
    .select('id')
    .where('account_id', '=', account_id)
    .where('sim_id', '=', anyOf(sims.map((sim) => sim.id)))
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (open) return null
  const asset = await tx
    .deleteFrom('asset')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow()
  return asset.name
}
