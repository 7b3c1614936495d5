import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { AlertSource, Severity } from './alert.ts'

/** The permission that the alert asks of its readers (`owner`: it is the owner's alone; empty: none). Without it, in events from before, they are the owner's. */
const needs = z.optional(z.string())

/** Recorded where somebody wants to be notified by webhook: those that listen for it are. */
export const alertRaised = event({
  name: 'notifications.alert_raised',
  refreshes: ['notifications'],
  detail: z.object({
    alert_id: z.string(),
    severity: Severity,
    source: AlertSource,
    title: z.string(),
    words: z.string(),
    count: z.int(),
    asset_id: z.nullable(z.string()),
    needs,
  }),
  sentence: 'Alert: {title}',
})
export const alertsAcknowledged = event({
  name: 'notifications.alerts_acknowledged',
  refreshes: ['notifications'],
  /** Of a single alert with the asset it is about: who may not see that one does not read of it. Of several no title, as they may be of many. */
  detail: z.object({
    count: z.int(),
    alert_ids: z.array(z.string()),
    title: z.string(),
    asset_id: z.optional(z.nullable(z.string())),
    needs,
  }),
  sentence: ({ count }) => (count === 1 ? 'Acknowledged the alert {title}' : 'Acknowledged {count} alerts'),
})
export const preferenceChanged = event({
  name: 'notifications.preference_changed',
  refreshes: ['notifications'],
  detail: z.object({ before: z.record(z.string(), z.unknown()), after: z.record(z.string(), z.unknown()) }),
  sentence: 'Changed how they are notified',
})
