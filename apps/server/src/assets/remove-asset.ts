import { sql } from 'kysely'
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
  await keepPast(tx, account_id, [id])
  const asset = await tx
    .deleteFrom('asset')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow()
  return asset.name
}

/**
 * Writes into stock what its SIMs were, before their assets leave an account: whoever registers a used one has no free test with it, and a
 * terminated one is not to be registered any more.
 */
export async function keepPast(tx: Tx, account_id: string, asset_ids: readonly string[]): Promise<void> {
  await sql`update inventory set is_used = true, is_terminated = is_terminated or sim.state = 'terminated',
      released_at = case when sim.state <> 'terminated' then inventory.released_at end
    from sim left join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
    where sim.account_id = ${account_id} and sim.asset_id = any(${[...asset_ids]}::text[]) and inventory.iccid = sim.iccid
      and (sim.activated_at is not null or sim.state = 'terminated' or c.lifetime_up + c.lifetime_down > 0)`.execute(tx)
}
