import { newId } from '@masthead/contract/kernel/id'
import type { App } from '../kernel/app.ts'
import { ensurePartitions as ensurePartitionsOf } from './partitions.ts'

export { startMeter, type Meter } from './start-meter.ts'
export { startRollUp } from './roll-up.ts'
export { rebuildRollUps } from './rebuild-roll-ups.ts'
export { cutSessionsOf, openSessionsOf } from './cut-session.ts'

/** Makes the partitions that usage records of these days need. */
export const ensurePartitions = (app: App): Promise<void> => ensurePartitionsOf(app.db, app.clock.now())

/** With a RADIUS secret in the configuration, the gateway at 127.0.0.1 has that secret. */
export async function addLocalGateway({ db, config }: App): Promise<void> {
  const { radiusSecret } = config
  if (!radiusSecret) return
  await db
    .insertInto('gateway')
    .values({ id: newId('gateway'), name: 'Local gateway', address: '127.0.0.1', secret: radiusSecret, heard_at: null })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ secret: radiusSecret }))
    .execute()
}
