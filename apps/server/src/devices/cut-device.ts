import type { Tx } from '../kernel/app.ts'

type Cut = { account_id: string; device_id: string; by: string; at: Date }

/** Refuses a device from now on and ends its connection, until it gets other credentials. */
export async function cutDevice(tx: Tx, { account_id, device_id, by, at }: Cut): Promise<void> {
  await tx
    .updateTable('device')
    .set({ cut_at: at, cut_by: by })
    .where('account_id', '=', account_id)
    .where('id', '=', device_id)
    .where('cut_at', 'is', null)
    .execute()
}
