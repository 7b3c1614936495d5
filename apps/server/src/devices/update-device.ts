import { deviceUpdated } from '@masthead/contract/devices/events'
import type { Updatable, Maintenance } from '@masthead/contract/devices/maintenance'
import { sql } from 'kysely'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getCoreForUpdate } from './get-device.ts'
import { sendDirective } from './send-directive.ts'

/** Asks a CORE device to update services, which restarts them. It is done once it reports other versions than now. */
export async function updateDevice(
  tx: Tx,
  actor: Actor,
  key: string,
  { update, beta }: { update: Updatable[]; beta: boolean }
): Promise<Maintenance> {
  const { asset, device } = await getCoreForUpdate(tx, actor, key)
  const { account_id, at } = actor
  const services = [...new Set(update)]
  const system = device.reported.system ?? {}
  const versions = Object.fromEntries(services.map((service) => [service, textOf(system[`${service}_version`])]))
  const row = {
    services,
    beta,
    made_by: actor.email,
    requested_at: at,
    versions: JSON.stringify(versions),
    status: null,
    status_at: null,
  }
  await tx
    .insertInto('device_maintenance')
    .values({ account_id, device_id: device.id, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'device_id']).doUpdateSet(row))
    .execute()
  await sendUpdate(tx, { account_id, device_ids: [device.id], update: services, beta, at })
  const { asset_id, asset_name } = asset
  await record(tx, actor, deviceUpdated, { asset_id, asset_name, services: services.join(' and ') })
  return { services, beta, by: actor.email, requested_at: at.toISOString(), versions, status: null, status_at: null }
}

type Sent = { account_id: string; device_ids: readonly string[]; update: readonly Updatable[]; beta: boolean; at: Date }

/** Sends the command to these devices. It takes the place of those that wait and ask for no more: who is offline does each update once. */
export async function sendUpdate(tx: Tx, { account_id, device_ids, update, beta, at }: Sent): Promise<void> {
  await sql`delete from device_directive where account_id = ${account_id} and device_id = any(${device_ids}::text[])
    and payload ->> 'command' = 'maintenance' and payload #> '{data,update}' <@ ${JSON.stringify(update)}::jsonb`.execute(tx)
  const payload = { command: 'maintenance', data: { update, restart: [], beta } }
  for (const device_id of device_ids) await sendDirective(tx, { account_id, device_id, payload, at })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
