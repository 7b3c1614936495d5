import * as z from 'zod/mini'
import { Activity } from '../activities/activity.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { LimitPeriod } from './sim.ts'

/** One limit of a SIM, or of a data pool or the credits for one of its SIMs, that was reached, and what it took to hold it. */
export const Enforcement = z.object({
  id: z.string(),
  asset_id: z.string(),
  asset_name: z.string(),
  iccid: z.string(),
  limit_bytes: Bytes,
  /** `term`: of a data pool. `credits`: none were left; `limit_bytes` and `used_bytes` are then 0, and beyond it is what this SIM used after the decision. */
  limit_period: z.enum([...LimitPeriod.options, 'term', 'credits']),
  /** First day of the period. */
  period_start: z.iso.date(),
  /** The network group whose limit it was; null: the SIM's own. */
  group_name: z.nullable(z.string()),
  /** The data pool that gave nothing more; `limit_bytes` and `used_bytes` are then of the pool, and beyond it is what this SIM used after that. */
  pool: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** Arrival of the report that reached it: the block is written with it. Of credits, when it was decided that none are left. */
  reached_at: Time,
  /** No report reached it: it was set below what was used, or the SIM came under it. Beyond it is then what came after that. */
  by_change: z.boolean(),
  /** Counted then; null for what was reached before this was kept. */
  used_bytes: z.nullable(Bytes),
  /** When the gateway was first asked to end the session; null: there was none open, or not yet. */
  asked_at: z.nullable(Time),
  answered_at: z.nullable(Time),
  answer: z.nullable(z.enum(['ack', 'nak', 'gone', 'timeout'])),
  answer_words: z.nullable(z.string()),
  /** Disconnect-Requests that were sent. */
  attempts: z.nullable(z.int()),
  /** When the last session was gone; null: one goes on. */
  cut_at: z.nullable(Time),
  /** From the report to the Disconnect-Request, and to the end of the session. Null: it goes on, or no session was cut. */
  request_ms: z.nullable(z.int()),
  latency_ms: z.nullable(z.int()),
  overshoot_bytes: Bytes,
  /** When the block was lifted. */
  lifted_at: z.nullable(Time),
})
export type Enforcement = z.output<typeof Enforcement>

const Spread = z.nullable(z.object({ half: z.int(), most: z.int(), longest: z.int() }))

/** How limits were held. Of times in milliseconds: what half of them stayed under, 99 of 100, and all. */
export const EnforcementFigures = z.object({
  reached: z.int(),
  cut: z.int(),
  open: z.int(),
  request_ms: Spread,
  latency_ms: Spread,
  overshoot_bytes: Bytes,
  longest_overshoot_bytes: Bytes,
})
export type EnforcementFigures = z.output<typeof EnforcementFigures>

/** An enforcement with everything that proves it. */
export const EnforcementProof = z.extend(Enforcement, {
  /** The last report of the SIM by then, which reached its limit; a data pool may have been used up by another SIM. Null where records of that time are dropped. */
  record: z.nullable(z.object({ event_at: Time, received_at: Time, session_id: z.string(), bytes: Bytes })),
  /** The session that was cut, and its gateway. */
  session: z.nullable(
    z.object({
      id: z.string(),
      acct_session_id: z.string(),
      gateway: z.string(),
      started_at: Time,
      ended_at: z.nullable(Time),
      end_cause: z.nullable(z.string()),
      interim_seconds: z.nullable(z.int()),
    })
  ),
  /** The activity about the block. */
  decision: z.nullable(Activity),
  /** Its place in the account's chain of activities, with its neighbours. `unchanged`: its hash is what it says now. Null while it is not in the chain. */
  chain: z.nullable(
    z.object({
      number: z.int(),
      hash: z.string(),
      before: z.string(),
      after: z.nullable(z.string()),
      unchanged: z.boolean(),
      checked_at: Time,
    })
  ),
  /** Access-Requests that were rejected for it since, until the block was lifted. */
  rejected: z.int(),
})
export type EnforcementProof = z.output<typeof EnforcementProof>
