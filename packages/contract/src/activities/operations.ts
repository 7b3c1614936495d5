import * as z from 'zod/mini'
import { listOf, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'

/** One line of the activity log. `timestamp`, `metadata` and `detail` are the specification's (§3). */
export const Activity = z.object({
  id: z.string(),
  /** Epoch seconds. */
  timestamp: z.int(),
  at: Time,
  metadata: z.object({ category: z.string(), action: z.string() }),
  detail: z.record(z.string(), z.unknown()),
  /** The sentence in plain words. */
  sentence: z.string(),
  actor: z.object({
    kind: z.enum(['member', 'api_key', 'staff', 'system', 'device']),
    email: z.string(),
  }),
  ip: z.nullable(z.string()),
  asset_id: z.nullable(z.string()),
})
export type Activity = z.output<typeof Activity>

export const ActivityFilter = z.object({
  category: listOf(z.string().check(z.maxLength(40))),
  actor: z.optional(z.string().check(z.maxLength(254))),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
  start: z.optional(Time),
  end: z.optional(Time),
})

/** No permission of its own (spec §2): every member sees it, limited to what their tags allow. */
export const listActivities = operation({
  name: 'activities.listActivities',
  method: 'GET',
  path: '/activities',
  summary: 'What happened on the account, newest first',
  access: 'signed_in',
  query: z.extend(PageQuery, ActivityFilter.shape),
  reply: page(Activity),
})
