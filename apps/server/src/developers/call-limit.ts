import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import type { App } from '../kernel/app.ts'
import { leaveUnwritten } from '../kernel/database/database-trouble.ts'
import { perApp } from '../kernel/per-app.ts'

const minute = 60_000
/** A process takes this part of the limit at once, so that the database counts a call in many. */
const portions = 20

type Window = { started_at: number; left: number; taken: number }
type Standing = { limit: number; remaining: number; reset: number }

const windowsOf = perApp(() => new Map<string, Window>())
const standings = new WeakMap<FastifyRequest, Standing>()

/** Counts a call of a key. All processes together let at most `limit` calls through in a minute; 429 then says when the next one begins. */
export async function takeCall(app: App, request: FastifyRequest, { id, limit, at }: { id: string; limit: number; at: Date }) {
  const started_at = Math.floor(at.getTime() / minute) * minute
  const own = windowsOf(app)
  let window = own.get(id)
  // A call that comes late, or by a clock that is a little behind, counts in the minute that has begun.
  if (!window || window.started_at < started_at || window.started_at > started_at + minute)
    own.set(id, (window = { started_at, left: 0, taken: 0 }))
  if (window.left <= 0 && window.taken < limit) {
    const wanted = Math.ceil(limit / portions)
    const alone = window.taken + wanted
    const taken = await takePortion(app, id, new Date(window.started_at), wanted).catch((error: unknown) => {
      leaveUnwritten(error)
      return alone // each process counts for itself while nothing can be written
    })
    window.taken = Math.max(window.taken, taken)
    window.left += Math.max(0, Math.min(wanted, limit - (taken - wanted)))
  }
  const reset = Math.ceil((started_at + minute - at.getTime()) / 1000)
  const mayPass = window.left > 0
  if (mayPass) window.left--
  standings.set(request, { limit, remaining: Math.max(0, window.left) + Math.max(0, limit - window.taken), reset })
  if (!mayPass)
    throw new Problem(
      tooManyRequests,
      `This API key may make ${limit} ${limit === 1 ? 'call' : 'calls'} a minute. Try again in ${reset} s`,
      {
        retryAfter: reset,
      }
    )
}

/** Processes' clocks differ a little: whoever is behind takes from the minute that another has begun. One that is far ahead was a mistake. */
const isBegun = sql`api_key_window.started_at between excluded.started_at and excluded.started_at + interval '1 minute'`

/** Adds a portion to what was taken in this minute: how much that is now. */
async function takePortion({ db }: App, key_id: string, started_at: Date, portion: number): Promise<number> {
  const take = sql<{ taken: number }>`
    insert into api_key_window (key_id, started_at, taken) values (${key_id}, ${started_at}, ${portion})
    on conflict (key_id) do update set
      started_at = case when ${isBegun} then api_key_window.started_at else excluded.started_at end,
      taken = case when ${isBegun} then api_key_window.taken else 0 end + excluded.taken
    returning taken`
  const { rows } = await db.transaction().execute((tx) => take.execute(tx))
  return rows[0]!.taken
}

/** Says on every answer to a key how much of its minute is left, also where the answer is a refusal. */
export function sayCallLimit(server: FastifyInstance) {
  server.addHook('onSend', async (request, reply) => {
    const standing = standings.get(request)
    if (!standing) return
    const { limit, remaining, reset } = standing
    void reply.headers({
      'ratelimit-policy': `${limit};w=60`,
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(reset),
    })
  })
}
