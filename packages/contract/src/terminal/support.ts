import * as z from 'zod/mini'
import { listOf, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'
import { PageQuery } from '../kernel/page.ts'
import { TerminalState } from './session.ts'

export const supportId = idKind('sup')

/** For how long support may use a device, in minutes, with the words for it. */
export const supportTimes = { 15: '15 minutes', 60: '1 hour', 240: '4 hours', 1440: '24 hours' } as const
export const supportWords = (minutes: number) => supportTimes[minutes as keyof typeof supportTimes] ?? `${minutes} minutes`
export const SupportMinutes = z
  .int()
  .check(z.refine((minutes) => Object.hasOwn(supportTimes, minutes), 'Choose 15, 60, 240 or 1440 minutes'))
/** ms that a request waits for an answer. */
export const supportAnswersWithin = 86_400_000

/** Why support has no access, or none any more. */
export const supportEnds = {
  refused: 'Refused',
  withdrawn: 'Support withdrew the request',
  unanswered: 'Nobody answered within 24 hours',
  ended: 'Ended by the customer',
  left: 'Ended by support',
  time_over: 'Its time was over',
  consent_withdrawn: 'The standing consent was withdrawn',
} as const
export const SupportEnd = z.enum(Object.keys(supportEnds) as [keyof typeof supportEnds])
export type SupportEnd = keyof typeof supportEnds

export const SupportState = z.enum(['asked', 'allowed', 'over'])
export type SupportState = z.output<typeof SupportState>

/** One request of support for a device, and what became of it. */
export const SupportAccess = z.object({
  id: z.string(),
  asset_id: z.string(),
  asset_name: z.string(),
  /** Who of support asked: only they may use it. A colleague who takes part in their terminal has an access of their own. */
  staff: z.string(),
  reason: z.string(),
  state: SupportState,
  /** For so long: as it was asked for, and then as it was allowed. */
  minutes: z.int(),
  /** Allowed by the standing consent of the account. */
  standing: z.boolean(),
  asked_at: Time,
  allowed_at: z.nullable(Time),
  allowed_by: z.nullable(z.string()),
  /** When the request ends without an answer, or the access by itself. */
  until: Time,
  ended_at: z.nullable(Time),
  ended_by: z.nullable(z.string()),
  end_reason: z.nullable(SupportEnd),
  /** What the customer said when they refused. */
  words: z.nullable(z.string()),
  /** What was opened by it, the newest first. */
  terminals: z.array(
    z.object({
      id: z.string(),
      state: TerminalState,
      opened_at: z.nullable(Time),
      ended_at: z.nullable(Time),
      recording: z.enum(['none', 'writing', 'kept', 'deleted']),
    })
  ),
})
export type SupportAccess = z.output<typeof SupportAccess>

export const ListSupportQuery = z.extend(PageQuery, { state: listOf(SupportState) })
