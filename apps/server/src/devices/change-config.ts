import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { configsOf, mostWaitingChanges, type ConfigChange, type ConfigRequest } from '@masthead/contract/devices/config'
import { configWithdrawn, deviceConfigured } from '@masthead/contract/devices/events'
import { changeNotWaiting, tooManyChanges } from '@masthead/contract/devices/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { configShown, getCoreForUpdate } from './get-device.ts'
import { setWantedConfig } from './wanted-config.ts'

/** Wants another configuration of a CORE device. The broker publishes it, again until the device answers. */
export async function configureDevice(tx: Tx, actor: Actor, key: string, change: ConfigChange): Promise<ConfigRequest> {
  const { asset, device } = await getCoreForUpdate(tx, actor, key)
  const { account_id, at } = actor
  const configs = configsOf(change)
  const { rows } = await sql<{ last: number | null; waiting: number }>`select max(ts) as last,
      count(*) filter (where received_at is null and withdrawn_at is null) as waiting
    from device_config where account_id = ${account_id} and device_id = ${device.id}`.execute(tx)
  const [{ last, waiting } = { last: null, waiting: 0 }] = rows
  if (waiting >= mostWaitingChanges) throw new Problem(tooManyChanges)
  const row = await tx
    .insertInto('device_config')
    .values({
      account_id,
      device_id: device.id,
      id: randomUUID(),
      ts: Math.max(Math.floor(at.getTime() / 1000), (last ?? 0) + 1),
      configs: JSON.stringify(configs),
      made_by: actor.email,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('device')
    .set({ desired: JSON.stringify({ ...(device.desired as object), ...configs }) })
    .where('account_id', '=', account_id)
    .where('id', '=', device.id)
    .execute()
  const { asset_id, asset_name } = asset
  await record(tx, actor, deviceConfigured, { asset_id, asset_name, keys: Object.keys(change).join(', ') })
  return configShown(row)
}

/**
 * Takes back a change that the device has not answered. What is wanted is what the changes before and after it say. It may have been published
 * already: where the device then says that it has it, it is withdrawn no more (`noteConfig`).
 */
export async function withdrawConfig(tx: Tx, actor: Actor, key: string, id: string): Promise<ConfigRequest> {
  const { asset, device } = await getCoreForUpdate(tx, actor, key)
  const { account_id, at } = actor
  const kept = await tx
    .selectFrom('device_config')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('device_id', '=', device.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!kept) throw new Problem(notFound)
  if (kept.sent_at || kept.received_at || kept.withdrawn_at) throw new Problem(changeNotWaiting)
  await tx
    .updateTable('device_config')
    .set({ withdrawn_at: at })
    .where('account_id', '=', account_id)
    .where('device_id', '=', device.id)
    .where('id', '=', id)
    .execute()
  await setWantedConfig(tx, { account_id, device_id: device.id })
  const { asset_id, asset_name } = asset
  await record(tx, actor, configWithdrawn, { asset_id, asset_name, keys: Object.keys(kept.configs).join(', ') })
  return configShown({ ...kept, withdrawn_at: at })
}
