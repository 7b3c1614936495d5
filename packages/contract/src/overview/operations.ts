import * as z from 'zod/mini'
import { Activity } from '../activities/activity.ts'
import { AssetType } from '../assets/asset.ts'
import { SimStatus } from '../assets/sim.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { UsagePoint } from '../usage/usage.ts'
import { OverviewRange } from './range.ts'

/** spec §9: how many of the latest activities the overview has at most. */
export const latestActivityCount = 4

// The check of days that others use would make the first screen larger.
const Day = z.string().check(z.regex(/^(19[7-9]|2\d\d)\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'Give a day like 2026-11-01'))

export const getOverview = operation({
  name: 'overview.getOverview',
  method: 'GET',
  path: '/overview',
  summary: 'The state of the account at a glance',
  access: 'overview.view',
  /** `start` (inside) and `end` (outside) are those of a `custom` range. */
  query: z.object({ range: z._default(OverviewRange, 'month'), start: z.optional(Day), end: z.optional(Day) }),
  reply: z.object({
    assets: z.object({
      total: z.int(),
      by_type: z.array(z.object({ type: AssetType, count: z.int() })),
      by_sim_status: z.array(z.object({ status: SimStatus, count: z.int() })),
      online: z.int(),
      /** Seen before, not online now. */
      offline: z.int(),
      never_seen: z.int(),
    }),
    usage: z.object({
      start: Time,
      end: Time,
      interval: z.enum(['hour', 'day', 'month']),
      bytes_up: Bytes,
      bytes_down: Bytes,
      /** The same part of the period before: as far into it as we are now. */
      previous_bytes: Bytes,
      points: z.array(UsagePoint),
      previous_points: z.array(UsagePoint),
      complete_until: z.nullable(Time),
    }),
    top_consumers: z.array(
      z.object({
        asset_id: z.string(),
        name: z.string(),
        iccid: z.string(),
        bytes: Bytes,
        share: z.number(),
        limit_bytes: z.nullable(Bytes),
      })
    ),
    /**
     * When `top_consumers` were read, where that is more than 5 s ago: of a large account those of another period than this month serve for a while. Those of this
     * month are looked for among the SIMs that had most a minute ago. Null: now. All else is at most 5 s old.
     */
    as_of: z.nullable(Time),
    /** Assets somebody should look at; the assets list has a filter for each. Beside them the alerts that are open. */
    attention: z.object({
      blocked: z.int(),
      silent_sessions: z.int(),
      near_limit: z.int(),
      failed_disconnects: z.int(),
      /** The last update of the device, or of its agent. */
      failed_updates: z.int(),
      /** Without those about what one did oneself; null for whoever may not see alerts. */
      open_alerts: z.nullable(z.int()),
    }),
    /** At most `latestActivityCount`. */
    latest_activity: z.array(Activity),
    /** Steps of a new account; null once all are done. */
    onboarding: z.nullable(z.object({ registered: z.boolean(), activated: z.boolean(), first_data: z.boolean() })),
  }),
})
