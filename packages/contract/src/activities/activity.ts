import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

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
