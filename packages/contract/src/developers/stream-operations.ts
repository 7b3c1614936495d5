import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { streamPlaceLost } from './problems.ts'

/** Seconds that one answer stays open at most. A client that reconnects, as event sources do, goes on where it was. */
export const longestWait = 300

/**
 * Server-sent events: `usage` for each record that was counted, and each activity by its name (`assets.sim_deactivated`), as a webhook sends it, for who also
 * holds overview.view. `Last-Event-ID` (or `after`) goes on from there, as far back as records are kept: where some were dropped
 * meanwhile, `gap` comes first and says so. Without it the stream begins now. What was sent after the last id may be sent again.
 */
export const getStream = operation({
  name: 'developers.getStream',
  method: 'GET',
  path: '/stream',
  summary: 'Usage records and activities as they happen, as server-sent events that resume by Last-Event-ID',
  access: 'usage.view',
  query: z.object({
    /** The last id that was received; the header Last-Event-ID is the same. */
    after: z.optional(z.string().check(z.maxLength(2000))),
    /** How many seconds to stay open; 0: what there is by now. */
    wait: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(longestWait)), 0),
  }),
  gives: 'events',
  problems: [tooManyRequests, streamPlaceLost],
})
