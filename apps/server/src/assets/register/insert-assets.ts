import { sql } from 'kysely'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import type { AssetType } from '@masthead/contract/assets/asset'
import type { SimState } from '@masthead/contract/assets/sim'
import type { Tx } from '../../kernel/app.ts'

/** An asset to be, with its SIM if it has one. Ids are given by the caller. */
export type NewAsset = {
  id: string
  type: AssetType
  serial: string
  name: string
  sim: NewSim | null
}
export type NewSim = { id: string; iccid: string; imsis: readonly string[]; msisdn: string | null; eid: string | null; imei: string | null }
type Start = { state: SimState; at: Date; by: string }

/**
 * Puts stock into an account: assets, SIMs and IMSIs, in a fixed number of statements.
 * The asset's rows are written as the triggers of `sim` would leave them, and IMSIs before SIMs, so that those find nothing to do.
 */
export async function insertAssets(tx: Tx, account_id: string, assets: readonly NewAsset[], { state, at, by }: Start): Promise<void> {
  const rows = JSON.stringify(
    assets.map(({ sim, ...asset }) => ({ ...asset, ...sim, id: asset.id, sim_id: sim?.id ?? null, imsis: sim?.imsis ?? [] }))
  )
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as given
    (id text, type text, serial text, name text, sim_id text, iccid text, imsis text[], msisdn text, eid text, imei text)`
  await sql`insert into asset (account_id, id, type, serial, name, created_at, sim_id, sim_status, sim_search)
    select ${account_id}, id, type, serial, name, ${at}, sim_id, case when sim_id is not null then ${state} end,
      case when sim_id is null then '' else concat_ws(' ', iccid, msisdn, eid, imei, nullif(array_to_string(imsis, ' '), '')) end
    from ${given} order by id`.execute(tx)
  await insertSims(
    tx,
    account_id,
    assets.flatMap(({ id, sim }) => (sim ? [{ ...sim, asset_id: id }] : [])),
    { state, at, by }
  )
}

/** Puts SIMs into assets, in two statements. What a ready one that nobody used before may use for free is as its account has it, its lock as the default group has it. */
export async function insertSims(
  tx: Tx,
  account_id: string,
  sims: readonly (NewSim & { asset_id: string })[],
  { state, at, by }: Start
): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(sims)}::jsonb) as given
    (id text, asset_id text, iccid text, imsis text[], msisdn text, eid text, imei text)`
  await sql`insert into sim_imsi (imsi, account_id, sim_id, position)
    select imsi, ${account_id}, id, position - 1 from ${given}, unnest(imsis) with ordinality as each (imsi, position) order by imsi`.execute(
    tx
  )
  await sql`insert into sim (account_id, id, asset_id, iccid, msisdn, eid, imei, state, state_changed_at, state_changed_by, activated_at, created_at,
      test_bytes, imei_lock_default)
    select ${account_id}, id, asset_id, iccid, msisdn, eid, imei, ${state}, ${at}, ${by}, case when ${state} = 'active' then ${at}::timestamptz end,
      ${at}, case when ${state} = 'ready' and not exists (select from inventory where inventory.iccid = given.iccid and inventory.is_used)
        then (select test_bytes from account where account.id = ${account_id}) end,
      coalesce((select 'lock' from network_group where network_group.account_id = ${account_id} and network_group.id = ${defaultGroup} and imei_lock), 'off')
    from ${given} order by id`.execute(tx)
}

/** Writes into the stock rows of these assets whose they are now. */
export async function claimStock(tx: Tx, account_id: string, assets: readonly NewAsset[], at: Date): Promise<void> {
  await sql`update inventory set account_id = ${account_id}, asset_id = given.id, registered_at = ${at}, reserved_for = null,
      released_by = null
    from unnest(${assets.map((asset) => asset.id)}::text[], ${assets.map((asset) => asset.serial.toLowerCase())}::text[]) as given (id, serial)
    where lower(inventory.serial) = given.serial`.execute(tx)
}
