import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

const SentencePart = z.object({ text: z.string(), strong: z.boolean() })

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
  /** The same, cut into plain words and what its detail fills in (`strong`). */
  sentence_parts: z.array(SentencePart),
  actor: z.object({
    kind: z.enum(['member', 'api_key', 'robot', 'staff', 'system', 'device']),
    /** Of an API key or a robot: its maker's. */
    email: z.string(),
    /** The name of the API key they did it with. */
    key: z.nullable(z.string()),
    /** The name of the robot of the registry that did it. */
    robot: z.nullable(z.string()),
  }),
  ip: z.nullable(z.string()),
  /** Of the request that did it: what support asks for. */
  request_id: z.nullable(z.string()),
  asset_id: z.nullable(z.string()),
  /** Its entry in the account's chain; null in the first seconds. */
  entry: z.nullable(z.object({ number: z.int(), hash: z.string() })),
})
export type Activity = z.output<typeof Activity>

/** The newest entry of the account's chain of activities that one reads. Kept elsewhere, it proves later that nothing before it was changed. */
export const Chain = z.object({
  /** Its place in the chain: for whoever reads every activity, how many it has. */
  number: z.int(),
  /** SHA-256 of it and of all before it, as hex; null before the first. */
  hash: z.nullable(z.string()),
  /** When the chain was last written; null for whoever does not read every activity. */
  chained_at: z.nullable(Time),
})
export type Chain = z.output<typeof Chain>
