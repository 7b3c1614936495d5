import { deviceReported } from '@masthead/contract/signals'
import type { App } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'

/** The device has asked for a generation of what is wanted of its network. */
export async function noteSent(
  { db, clock }: App,
  { account_id, asset_id, generation }: { account_id: string; asset_id: string; generation: number }
) {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('device_network')
      .set({ sent_generation: generation, sent_at: clock.now() })
      .where('account_id', '=', account_id)
      .where('asset_id', '=', asset_id)
      .where('generation', '=', generation)
      .execute()
    await publish(tx, account_id, deviceReported)
  })
}
