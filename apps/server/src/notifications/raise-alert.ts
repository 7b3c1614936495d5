import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { Permission } from '@masthead/contract/kernel/permission'
import { severities, type AlertSource, type Severity } from '@masthead/contract/notifications/alert'
import { alertsChanged } from '@masthead/contract/signals'
import type { Tx } from '../kernel/app.ts'
import { publish } from '../kernel/live/publish.ts'
import { planDeliveries } from './plan-deliveries.ts'

/** How long after its end a cause that begins again is still the same alert. */
const flapping = 15 * 60_000

export type Cause = {
  cause: string
  severity: Severity
  source: AlertSource
  title: string
  words: string
  /** It stands until something ends it; else it is over as it happens. */
  lasting: boolean
  audience?: 'members' | 'owner'
  /** What people need who see it. */
  permission?: Permission | null
  asset_id?: string | null
  link?: string | null
  /** Who did it, where it is an act of somebody. */
  actor_email?: string | null
}

/** One time that a cause is raised: by which event (or check), on which account, when. The column is `told_by`. */
export type Raising = { account_id: string; raised_by: string; at: Date }

/**
 * Raises an alert, or counts it on the one that stands for the same cause. The same one again does nothing, so that a job may be
 * repeated. Who raises a cause and who ends it come one after the other.
 */
export async function raiseAlert(tx: Tx, { account_id, raised_by, at }: Raising, raised: Cause): Promise<void> {
  const { cause, audience = 'members', permission = null, asset_id = null, link = null, actor_email = null, ...said } = raised
  await lockCause(tx, account_id, cause)
  const notified = await tx
    .selectFrom('alert_firing')
    .select('alert_id')
    .where('account_id', '=', account_id)
    .where('told_by', '=', raised_by)
    .where('cause', '=', cause)
    .executeTakeFirst()
  if (notified) return
  const standing = await findStanding(tx, account_id, cause, at)
  const id = standing?.id ?? newId('alert', at.getTime())
  if (standing) {
    await tx
      .updateTable('alert')
      .set(({ fn }) => ({ ...said, link, count: standing.count + 1, last_at: fn<Date>('greatest', ['last_at', sql`${at}::timestamptz`]) }))
      .set({ resolved_at: null, resolved_words: null, ...(standing.resolved_at && { acknowledged_at: null, acknowledged_by: null }) })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
  } else {
    const ends = { acknowledged_at: null, acknowledged_by: null, resolved_at: null, resolved_words: null }
    await tx
      .insertInto('alert')
      .values({ account_id, id, cause, audience, permission, asset_id, link, actor_email, ...said, first_at: at, last_at: at, ...ends })
      .execute()
  }
  await tx.insertInto('alert_firing').values({ account_id, told_by: raised_by, cause, alert_id: id, at }).execute()
  // What becomes worse is notified again, however soon.
  const is_worse = standing !== undefined && !standing.resolved_at && weightOf(said.severity) > weightOf(standing.severity)
  await planDeliveries(tx, { account_id, id, at, is_worse })
  await notifyConsoles(tx, account_id)
}

const weightOf = (severity: Severity) => Object.keys(severities).indexOf(severity)

/** The alert that stands for a cause, or one that ended a moment ago: what comes and goes is one alert. */
const findStanding = (tx: Tx, account_id: string, cause: string, at: Date) =>
  tx
    .selectFrom('alert')
    .select(['id', 'count', 'resolved_at', 'severity'])
    .where('account_id', '=', account_id)
    .where('cause', '=', cause)
    .where(({ or, eb, and }) =>
      or([eb('resolved_at', 'is', null), and([eb('lasting', '=', true), eb('resolved_at', '>', new Date(at.getTime() - flapping))])])
    )
    .orderBy('resolved_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

/** Ends what stands for a cause, in words. Nothing stands: nothing happens. */
export async function resolveAlert(tx: Tx, account_id: string, cause: string, at: Date, resolved_words: string): Promise<void> {
  await lockCause(tx, account_id, cause)
  const { numUpdatedRows } = await tx
    .updateTable('alert')
    .set({ resolved_at: at, resolved_words })
    .where('account_id', '=', account_id)
    .where('cause', '=', cause)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await notifyConsoles(tx, account_id)
}

const lockCause = (tx: Tx, account_id: string, cause: string) =>
  sql`select pg_advisory_xact_lock(hashtext('masthead.alert'), hashtext(${`${account_id} ${cause}`}))`.execute(tx)

/** Open consoles ask for their alerts again. */
const notifyConsoles = (tx: Tx, account_id: string) => publish(tx, account_id, alertsChanged)
