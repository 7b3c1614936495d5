import { configsOf, type ConfigChange } from '@masthead/contract/devices/config'
import { deviceConfigured } from '@masthead/contract/devices/events'
import { sql } from 'kysely'
import { anyOf } from '../assets/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordMany } from '../kernel/record.ts'

type Configured = { asset_id: string; asset_name: string; change: ConfigChange }

/** Wants another configuration of the CORE devices of these assets (some hundred), each its own, as `configureDevice` does for one. */
export async function configureDevices(tx: Tx, actor: Actor, assets: readonly Configured[]): Promise<void> {
  if (assets.length === 0) return
  const { account_id, at, email } = actor
  const ids = assets.map(({ asset_id }) => asset_id)
  const configs = assets.map(({ change }) => JSON.stringify(configsOf(change)))
  await sql`select from device where account_id = ${account_id} and asset_id = ${anyOf(ids)} and kind = 'core'
    order by id for no key update`.execute(tx)
  const given = sql`unnest(${ids}::text[], ${configs}::text[]) as given (asset_id, configs)`
  // The device orders changes by their second, which is of its own for each.
  await sql`insert into device_config (account_id, device_id, id, ts, configs, made_by, created_at)
    select ${account_id}, device.id, gen_random_uuid()::text,
      greatest(${Math.floor(at.getTime() / 1000)}::bigint, coalesce((select max(ts) + 1 from device_config earlier
        where earlier.account_id = ${account_id} and earlier.device_id = device.id), 0)),
      given.configs::jsonb, ${email}, ${at}::timestamptz
    from ${given} join device on device.account_id = ${account_id} and device.asset_id = given.asset_id and device.kind = 'core'`.execute(
    tx
  )
  await sql`update device set desired = device.desired || given.configs::jsonb from ${given}
    where device.account_id = ${account_id} and device.asset_id = given.asset_id and device.kind = 'core'`.execute(tx)
  await recordMany(
    tx,
    actor,
    deviceConfigured,
    assets.map(({ asset_id, asset_name, change }) => ({ asset_id, asset_name, keys: Object.keys(change).join(', ') }))
  )
}
