import { deviceUpdated } from '@masthead/contract/devices/events'
import { services } from '@masthead/contract/devices/maintenance'
import { sql } from 'kysely'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordMany } from '../kernel/record.ts'
import { sendUpdate } from './update-device.ts'

type Named = { asset_id: string; asset_name: string }

/** Asks the CORE devices of these assets (some hundred) to update all that they run, as `updateDevice` does for one. */
export async function updateDevices(tx: Tx, actor: Actor, assets: readonly Named[]): Promise<void> {
  if (assets.length === 0) return
  const { account_id, at, email } = actor
  const { rows } = await sql<{ device_id: string }>`with theirs as materialized (
      select id, reported -> 'system' as system from device
      where account_id = ${account_id} and asset_id = any(${assets.map(({ asset_id }) => asset_id)}::text[]) and kind = 'core'
      order by id for no key update)
    insert into device_maintenance (account_id, device_id, services, beta, made_by, requested_at, versions)
    select ${account_id}, id, ${[...services]}::text[], false, ${email}, ${at},
      jsonb_build_object('manager', system -> 'manager_version', 'agent', system -> 'agent_version') from theirs
    on conflict (account_id, device_id) do update set services = excluded.services, beta = false, made_by = excluded.made_by,
      requested_at = excluded.requested_at, versions = excluded.versions, status = null, status_at = null
    returning device_id`.execute(tx)
  await sendUpdate(tx, { account_id, device_ids: rows.map(({ device_id }) => device_id), update: services, beta: false, at })
  await recordMany(
    tx,
    actor,
    deviceUpdated,
    assets.map(({ asset_id, asset_name }) => ({ asset_id, asset_name, services: services.join(' and ') }))
  )
}
