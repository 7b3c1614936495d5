import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

/** How much it matters. */
export const severities = { info: 'Info', warn: 'Warning', critical: 'Critical' } as const
export type Severity = keyof typeof severities
export const Severity = z.enum(Object.keys(severities) as [Severity, ...Severity[]])

/** Where it comes from. */
export const alertSources = {
  /** What the customer has set, or the account's standing, has met: of SIMs, of pools, and what rules found. */
  policy: 'SIMs, pools and rules',
  network: 'Network',
  api: 'API and webhooks',
  security: 'Security',
  staff: 'Support staff',
  billing: 'Billing',
  device: 'Devices',
} as const
export type AlertSource = keyof typeof alertSources
export const AlertSource = z.enum(Object.keys(alertSources) as [AlertSource, ...AlertSource[]])

/** `open`: nobody has acknowledged it, and its cause stands. */
export const alertStates = { open: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved' } as const
export type AlertState = keyof typeof alertStates
export const AlertState = z.enum(Object.keys(alertStates) as [AlertState, ...AlertState[]])

/** Something to look at. One per cause: what happens again is counted. */
export const Alert = z.object({
  id: z.string(),
  severity: Severity,
  source: AlertSource,
  state: AlertState,
  title: z.string(),
  /** Why, and what ends it. */
  words: z.string(),
  asset_id: z.nullable(z.string()),
  /** The screen that shows more, as a path of the console. */
  link: z.nullable(z.string()),
  first_at: Time,
  last_at: Time,
  /** How often it happened. */
  count: z.int(),
  /** By whoever asks. What happens again is unread again. */
  read: z.boolean(),
  acknowledged_at: z.nullable(Time),
  acknowledged_by: z.nullable(z.string()),
  resolved_at: z.nullable(Time),
  resolved_words: z.nullable(z.string()),
})
export type Alert = z.output<typeof Alert>
