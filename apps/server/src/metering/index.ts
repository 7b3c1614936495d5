import { insertGateway, decryptGatewaySecret, encryptGatewaySecret } from '../gateways/index.ts'
import type { App } from '../kernel/app.ts'
import { adoptRestoredRecords, ensurePartitions } from '../usage/index.ts'
import { ensureConnectionPartitions } from './connections/connection-partitions.ts'
import { Ingest } from './ingest/ingest.ts'
import { LiveUpdates } from './live-updates.ts'
import { MeterFigures } from './meter-figures.ts'
import type { Reading } from './reading.ts'

export { ownStatusKey, readOwnStatusSecret, whyNoStatus } from './own-status.ts'
export { startMeter, type Meter } from './start-meter.ts'
export { joinFigures, meterFamilies } from './meter-figures.ts'
export { acceptUncounted, forgetUncounted } from './accept-uncounted.ts'
export { blockAtLimits, unblockBelowLimits } from './data-limit.ts'
export { followGroup, followMove, setLimit } from './set-limit.ts'
export { keepLimits, raiseSimLimits, setSimLimits } from './set-limit.ts'
export { keepConnectionEvents, type ConnectionEvent } from './connections/connection-events.ts'
export { ensureDaysOfEvents } from './connections/connection-partitions.ts'
export type { Reading } from './reading.ts'
export { beganAfter } from './sessions/session-rules.ts'
export { mostOfFirst } from './sessions/possible-usage.ts'

/**
 * For the meter's process. What it allocates lives for a batch, or, in a session, for long: room for the one, and as much again as lives before all
 * of it is looked through. Left to itself V8 does that every few seconds, and packets wait.
 */
export const meterNodeArgs = ['--max-semi-space-size=16', '--heap-growing-percent=100']

/** Gets the database ready for meters: partitions for the days to come, and for a restored dump its place in the roll-ups. */
export async function prepareMetering({ db, clock }: App): Promise<void> {
  await adoptRestoredRecords(db)
  await ensurePartitions(db, clock.now())
  await ensureConnectionPartitions(db, clock.now())
}

/** With a RADIUS secret in the configuration, the gateway at 127.0.0.1 has that secret. */
export async function addLocalGateway({ db, config, clock }: App): Promise<void> {
  const { radiusSecret: secret } = config
  if (!secret) return
  const local = { name: 'Local gateway', address: '127.0.0.1' }
  await db.transaction().execute(async (tx) => {
    if (await insertGateway(tx, { ...local, secret }, clock.now())) return
    const { id, secret: kept } = await tx
      .selectFrom('gateway_address')
      .select(['id', 'secret'])
      .where('address', '=', local.address)
      .executeTakeFirstOrThrow()
    if (decryptGatewaySecret(tx, id, kept) === secret) return
    await tx
      .updateTable('gateway_address')
      .set({ secret: encryptGatewaySecret(tx, id, secret) })
      .where('id', '=', id)
      .execute()
  })
}

/** Counts readings that no gateway sends: the same ingest, the same rules. */
export type Counting = {
  /** Resolves once all are committed. */
  count: (readings: readonly Reading[]) => Promise<void>
  stop: () => Promise<void>
}

/** On connections of its own, which are opened when there is something to count. */
export function openCounting({ config, db, pool, log, clock }: App): Counting {
  const live = new LiveUpdates(db)
  const ingest = new Ingest({
    databaseUrl: pool.options.connectionString!,
    log,
    clock,
    figures: new MeterFigures('matched'),
    fastestLink: config.fastestLink,
    committed: (result) => live.publish(result),
  })
  return {
    count: (readings) => ingest.addAll(readings),
    stop: async () => {
      await ingest.stop()
      await live.stop()
    },
  }
}

/** Counts some readings. Resolves once all are committed. */
export async function countReadings(app: App, readings: readonly Reading[]): Promise<void> {
  const counting = openCounting(app)
  try {
    await counting.count(readings)
  } finally {
    await counting.stop()
  }
}
