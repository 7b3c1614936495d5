import type { Logger } from 'pino'
import { Gateways, RefusedSenders } from '../gateways/index.ts'
import { steadyClock, type Clock, type Db } from '../kernel/app.ts'
import type { Config } from '../kernel/config.ts'
import { connectDatabase } from '../kernel/database/open-database.ts'
import { SecretKeys } from '../kernel/secrets/secret-keys.ts'
import { ensurePartitions } from '../usage/index.ts'
import { Admission } from './access/admission.ts'
import { ConnectionEvents } from './connections/connection-events.ts'
import { ensureConnectionPartitions } from './connections/connection-partitions.ts'
import { DatabaseProof, probeDatabase } from './database-proof.ts'
import { Ingest } from './ingest/ingest.ts'
import { Listener } from './listener.ts'
import { LiveUpdates } from './live-updates.ts'
import { MeterFigures } from './meter-figures.ts'
import { getOwnStatusSecret } from './own-status.ts'

/** A running meter. Ports are UDP. */
export type Meter = {
  ports: { auth: number; acct: number }
  /** The entry for readings that do not come by RADIUS. */
  ingest: Ingest
  gateways: Gateways
  refused: RefusedSenders
  figures: MeterFigures
  /** Why it commits nothing now, in words; null while it does. Never rejects. */
  whyNoCommit: () => Promise<string | null>
  /** Takes no more packets, answers those that it has, and ends. */
  stop: () => Promise<void>
}

const cannotCommit = 'The meter cannot commit: what gateways report waits and is not answered'

type Start = { config: Config; databaseUrl: string; log: Logger; clock: Clock; name?: string }

/** Starts a meter: RADIUS in, sessions, usage and counters out. Rejects when the database is away or a port is taken. */
export async function startMeter({ config, databaseUrl, log, clock: given, name = '0' }: Start): Promise<Meter> {
  const { db, pools } = connectDatabase(databaseUrl, { name: 'masthead meter side', writes: 1, reads: 1, keys: new SecretKeys(config) })
  const disconnect = () => Promise.all(pools.map((pool) => pool.end()))
  const clock = steadyClock(
    given,
    await lastHeard(db).catch(async (error: unknown) => {
      await disconnect()
      throw error
    })
  )
  // Nothing of what is counted depends on it.
  const statusSecret = await getOwnStatusSecret(db).catch((error: unknown) => {
    log.warn({ err: error }, 'there is no secret with which the doctor could ask this meter')
    return null
  })
  const figures = new MeterFigures(name)
  const live = new LiveUpdates(db)
  const events = new ConnectionEvents({ db, log })
  const ingest = new Ingest({
    databaseUrl,
    log,
    clock,
    wallClock: given,
    figures,
    fastestLink: config.fastestLink,
    committed: (result) => {
      proof.committed()
      live.publish(result)
      for (const event of result.events) events.add(event)
    },
  })
  const proof = new DatabaseProof({ probe: () => probeDatabase(db), isAway: () => ingest.isAway })
  const admission = new Admission({ databaseUrl, clock, events })
  const gateways = new Gateways({ db, databaseUrl, log })
  const refused = new RefusedSenders({ db, log })
  const listener = new Listener({ gateways, refused, ingest, admission, proof, figures, statusSecret, clock, log })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    listener.deafen()
    await Promise.all([ingest.stop(), admission.stop(), gateways.stop(), refused.stop(), live.stop()])
    await events.stop()
    listener.close()
    await disconnect()
  }
  try {
    await ensurePartitions(db, given.now())
    await ensureConnectionPartitions(db, given.now())
    await gateways.start()
    refused.start()
    const ports = await listener.listen({
      host: config.host,
      auth: config.ports.radiusAuth,
      acct: config.ports.radiusAcct,
      shared: config.meterProcesses > 1,
    })
    const whyNoCommit = async () => (!ingest.isAway && (await proof.isGood()) ? null : cannotCommit)
    return { ports, ingest, gateways, refused, figures, whyNoCommit, stop: () => (stopping ??= stop()) }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

/** When any gateway spoke last: the clock may have been set back while no meter ran. */
async function lastHeard(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('gateway_address')
    .select((eb) => eb.fn.max('heard_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}
