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

/** Whether the device of an asset is refused now. It is locked: nobody cuts it before the end. */
export async function isCut(tx: Tx, account_id: string, asset_id: string): Promise<boolean> {
  const device = await tx
    .selectFrom('device')
    .select('cut_at')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .forUpdate()
    .executeTakeFirst()
  return device ? device.cut_at !== null : false
}
