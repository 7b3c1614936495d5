import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { RuleAction } from './rule-action.ts'

/** What became of a firing's action. */
export const firingStates = {
  told: 'Notified',
  waiting: 'Action to come',
  done: 'Action done',
  left: 'SIM left as it was',
  silenced: 'Silenced',
  called_off: 'Called off',
  undone: 'Taken back',
} as const
export type FiringState = keyof typeof firingStates
export const FiringState = z.enum(Object.keys(firingStates) as [FiringState, ...FiringState[]])

/** A time that a rule fired. */
export const Firing = z.object({
  id: z.string(),
  asset_id: z.nullable(z.string()),
  /** Null: of the whole account, of an asset that is gone, or for whoever may not see assets. */
  asset_name: z.nullable(z.string()),
  /** Of a rule of data pools; null: of another, or for whoever may not see pools. */
  pool_id: z.nullable(z.string()),
  /** Null, too, where the pool is gone. */
  pool_name: z.nullable(z.string()),
  /** Of which day (UTC) the value is. */
  day: z.string(),
  /** Null: of a cost, for whoever may not see costs. */
  value: z.nullable(z.number()),
  at: Time,
  /** What is done to the SIM: each action of a rule stands by itself. Null: nothing, or it was not kept. */
  action: z.nullable(RuleAction),
  state: FiringState,
  /** When its action is due. */
  act_at: z.nullable(Time),
  /** When its action is taken back of itself; null: it is not, or that is over. */
  undo_at: z.nullable(Time),
  /** Why the SIM was left as it was, or why the action was not taken back; who called it off or took it back. */
  words: z.nullable(z.string()),
})
export type Firing = z.output<typeof Firing>

/** What a rule would have done. */
export const RuleTrial = z.object({
  from: z.string(),
  to: z.string(),
  /** How often it would have fired, and for how many SIMs, devices or data pools. */
  fired: z.int(),
  sims: z.int(),
  /** For how many of those its action would have followed. */
  acted: z.int(),
  /** So many firings are read; there were more. */
  capped: z.boolean(),
  days: z.array(z.object({ day: z.string(), fired: z.int(), acted: z.int() })),
  /** The newest, at most 50. */
  latest: z.array(
    z.object({
      asset_id: z.nullable(z.string()),
      asset_name: z.nullable(z.string()),
      pool_id: z.nullable(z.string()),
      pool_name: z.nullable(z.string()),
      day: z.string(),
      value: z.number(),
    })
  ),
})
export type RuleTrial = z.output<typeof RuleTrial>
