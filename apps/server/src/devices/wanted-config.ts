import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'

type Key = { account_id: string; device_id: string }

/** Locks a device: a change of its configuration and what it says of one come one after the other. */
export async function lockDevice(tx: Tx, { account_id, device_id }: Key): Promise<void> {
  await sql`select from device where account_id = ${account_id} and id = ${device_id} for no key update`.execute(tx)
}

/** Makes what is wanted of a device's configuration anew: what the changes say that are not withdrawn, a later one before an earlier. */
export async function setWantedConfig(tx: Tx, { account_id, device_id }: Key): Promise<void> {
  const changes = await tx
    .selectFrom('device_config')
    .select('configs')
    .where('account_id', '=', account_id)
    .where('device_id', '=', device_id)
    .where('withdrawn_at', 'is', null)
    .orderBy('ts')
    .execute()
  const desired = Object.assign({}, ...changes.map(({ configs }) => configs)) as Record<string, unknown>
  await tx
    .updateTable('device')
    .set({ desired: JSON.stringify(desired) })
    .where('account_id', '=', account_id)
    .where('id', '=', device_id)
    .execute()
}
