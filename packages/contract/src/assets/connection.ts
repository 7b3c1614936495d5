import * as z from 'zod/mini'
import { Activity } from '../activities/activity.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { Network } from '../networks/network.ts'
import { Severity } from '../notifications/alert.ts'

/** What happens on the way to the network, beside the beginnings and ends of sessions. */
export const ConnectionKind = z.enum(['accepted', 'rejected', 'forbidden', 'detached', 'network_changed', 'imei_changed'])
export type ConnectionKind = z.output<typeof ConnectionKind>

/** One line of what happened to an asset: an activity, an alert, a session's beginning or end, the last report of an open one, or something on the way to the network. */
export const TimelineEntry = z.object({
  id: z.string(),
  kind: z.enum(['activity', 'alert', 'session_started', 'session_updated', 'session_ended', ...ConnectionKind.options]),
  at: Time,
  /** Of what repeats within an hour: how often, and when last. */
  count: z.int(),
  last_at: Time,
  words: z.nullable(z.string()),
  network: z.nullable(Network),
  rat: z.nullable(z.string()),
  gateway: z.nullable(z.string()),
  /** Of a change: an operator with its technology, or an IMEI. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** Of a session that ended, or until its last report. */
  bytes: z.nullable(Bytes),
  activity: z.nullable(Activity),
  alert: z.nullable(z.object({ id: z.string(), severity: Severity, title: z.string(), resolved_at: z.nullable(Time) })),
})
export type TimelineEntry = z.output<typeof TimelineEntry>

/** What an asset used of one operator by one technology in 30 days. */
export const UsedNetwork = z.object({
  network: z.nullable(Network),
  rat: z.nullable(z.string()),
  bytes_up: Bytes,
  bytes_down: Bytes,
  /** The last day with usage on it. */
  last_day: z.iso.date(),
  /** Why the SIM's network group or its data pools do not allow it now, in words; null: they do. */
  forbidden: z.nullable(z.string()),
})
export type UsedNetwork = z.output<typeof UsedNetwork>
