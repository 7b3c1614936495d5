import { openHours } from '@masthead/contract/billing/rating'
import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { forgetRows } from '../../kernel/jobs/forget-rows.ts'

/** By what the bytes of each session were rounded, once its month is closed for another month. Those of days and months stay: they are as few as charges. */
export function forgetScopes(app: App): Promise<void> {
  const at = new Date(app.clock.now().getTime() - openHours * 3_600_000)
  const before = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)).toISOString().slice(0, 10)
  return forgetRows(app, 'charge_scope', sql`month < ${before}::date and scope like 'session:%'`)
}
