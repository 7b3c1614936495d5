import { sql } from 'kysely'
import type { UpdateStatus } from '@masthead/contract/devices/maintenance'
import { deviceReported } from '@masthead/contract/signals'
import type { AppDb, Clock, Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { lockDevice, setWantedConfig } from '../wanted-config.ts'
import type { DeviceKey } from './report-writer.ts'

/** A change that a device does not answer is said to it again after this, ms. */
const sayAgainAfter = 30_000

/** Of a change: the device is to be told of it now. */
export const isUnsaid = (clock: Clock) => sql`sent_at is null and received_at is null and withdrawn_at is null
  and (published_at is null or published_at <= ${new Date(clock.now().getTime() - sayAgainAfter)})`

export type OpenConfig = { id: string; ts: number; configs: Record<string, unknown> }

/** Changes that are to be said to a device now, the oldest first: it applies them in this order. */
export async function takeOpenConfigs(tx: Tx, clock: Clock, { account_id, device_id }: DeviceKey): Promise<OpenConfig[]> {
  const now = clock.now()
  const { rows } = await sql<OpenConfig>`update device_config set published_at = ${now}
    where account_id = ${account_id} and device_id = ${device_id} and ${isUnsaid(clock)}
    returning id, ts, configs`.execute(tx)
  return rows.toSorted((one, other) => one.ts - other.ts)
}

/**
 * What a device says of a change. Once it has received it we acknowledge, and it forgets its file; what we do not know is acknowledged, too. A change
 * that was withdrawn is wanted again, because the device has it.
 */
export async function noteConfig(db: AppDb, clock: Clock, key: DeviceKey, { id, status }: { id: string; status: 'sent' | 'received' }) {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await lockDevice(tx, key)
    const { account_id, device_id } = key
    const { rows: withdrawn } = await sql`update device_config set withdrawn_at = null
      where account_id = ${account_id} and device_id = ${device_id} and id = ${id} and withdrawn_at is not null returning id`.execute(tx)
    if (withdrawn.length > 0) await setWantedConfig(tx, key)
    await sql`update device_config set sent_at = coalesce(sent_at, ${now}),
        received_at = case when ${status === 'received'} then coalesce(received_at, ${now}) else received_at end,
        acked_at = case when ${status === 'received'} then coalesce(acked_at, ${now}) else acked_at end
      where account_id = ${account_id} and device_id = ${device_id} and id = ${id}`.execute(tx)
    await publish(tx, account_id, deviceReported)
  })
}

/** What a device says of an update that it makes. */
export async function noteUpdate(db: AppDb, clock: Clock, { account_id, device_id }: DeviceKey, status: UpdateStatus) {
  await db.transaction().execute(async (tx) => {
    await sql`update device_maintenance set status = ${status}, status_at = ${clock.now()}
      where account_id = ${account_id} and device_id = ${device_id}`.execute(tx)
    await publish(tx, account_id, deviceReported)
  })
}
