import type { Tx } from '../kernel/app.ts'
import { effectOfAny, type HappenedEvent } from '../kernel/jobs/effects.ts'
import { meaningOf } from './alert-rules.ts'
import { blocksLeft, cutIsOpen } from './ended-causes.ts'
import { raiseAlert, resolveAlert } from './raise-alert.ts'
import { isHalted, rolloutCause } from './rollout-alerts.ts'
import { isAsked, supportCause } from './support-alerts.ts'

/** Alerts come from events. */
export const updateAlerts = effectOfAny('notifications.update_alerts', ({ db }, event) =>
  db.transaction().execute((tx) => notifyOf(tx, event))
)

/** What an event begins is raised, what it ends is resolved. Safe to repeat, and whichever of two is processed first. */
export async function notifyOf(tx: Tx, event: HappenedEvent): Promise<void> {
  const meaning = meaningOf(event)
  if (!meaning) return
  const { account_id, id, at } = event
  if ('raise' in meaning) {
    await raiseAlert(tx, { account_id, raised_by: id, at }, meaning.raise)
    // The event that ends it may have been processed before this one.
    const { cause } = meaning.raise
    if ((await stands(tx, account_id, cause)) === false) await resolveAlert(tx, account_id, cause, at, 'It ended at once')
  } else if ((await stands(tx, account_id, meaning.resolve)) !== true) {
    await resolveAlert(tx, account_id, meaning.resolve, at, meaning.words)
  }
}

/** Whether the cause is there, where that can be looked up: events are old by the time they are processed, and not always in their order. */
async function stands(tx: Tx, account_id: string, cause: string): Promise<boolean | null> {
  if (cause.startsWith('sim_block:')) return blocksLeft(tx, account_id, cause)
  if (cause.startsWith('session_cut:')) return cutIsOpen(tx, account_id, cause)
  if (cause.startsWith(supportCause)) return isAsked(tx, account_id, cause)
  if (cause.startsWith(rolloutCause)) return isHalted(tx, account_id, cause)
  return null
}
