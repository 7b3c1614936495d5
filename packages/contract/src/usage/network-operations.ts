import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { Network } from '../networks/network.ts'
import { UsageInterval, UsageRange } from './usage.ts'

/** Cut to whole intervals, as in the total usage: so the two are of the same time. */
const Question = z.extend(UsageRange, { interval: z._default(UsageInterval, 'day') })

/** How long refused SIMs are counted back. */
export const refusedHours = 24

export const NetworkUsage = z.object({
  network: Network,
  bytes_up: Bytes,
  bytes_down: Bytes,
  bytes: Bytes,
  /** In the period just before, as far into it as this one has come. */
  previous_bytes: Bytes,
  /** SIMs that were not let in there in the last 24 hours; null for a period that is over. */
  refused_sims: z.nullable(z.int()),
})
export type NetworkUsage = z.output<typeof NetworkUsage>

export const listNetworkUsage = operation({
  name: 'usage.listNetworkUsage',
  method: 'GET',
  path: '/usage/networks',
  summary: 'Data usage and refused SIMs of each operator, for a map and a list',
  access: 'usage.view',
  query: Question,
  reply: z.object({
    /** The one with most usage first; those that only refused SIMs are last. */
    networks: z.array(NetworkUsage),
    /** Of usage whose network was not reported. */
    unknown_bytes: Bytes,
    previous_unknown_bytes: Bytes,
    /** Up to here no late report is expected any more. Null before the first report. */
    settled_until: z.nullable(Time),
  }),
})

/** An active SIM without a byte in a period. */
export const SilentSim = z.object({
  asset_id: z.string(),
  name: z.string(),
  iccid: z.string(),
  /** The last hour with usage; null: none, or not for 30 days. */
  sent_at: z.nullable(Time),
  /** When a gateway last reported it; null: never. */
  seen_at: z.nullable(Time),
  blocked: z.boolean(),
})
export type SilentSim = z.output<typeof SilentSim>

export const listSilentSims = operation({
  name: 'usage.listSilentSims',
  method: 'GET',
  path: '/usage/silent',
  summary: 'SIMs that are meant to be active by the end of the period and used no data in it',
  access: 'usage.view',
  query: z.extend(PageQuery, Question.shape),
  reply: page(SilentSim),
})

/** A SIM with data sessions that ended without a byte. */
export const EmptySessions = z.object({
  asset_id: z.string(),
  name: z.string(),
  iccid: z.string(),
  /** That began in the period, and of them those that ended without a byte. */
  sessions: z.int(),
  empty_sessions: z.int(),
  last_at: z.nullable(Time),
})
export type EmptySessions = z.output<typeof EmptySessions>

/** Sessions are kept for a while alone: of a longer period they are counted from then on. */
export const listEmptySessions = operation({
  name: 'usage.listEmptySessions',
  method: 'GET',
  path: '/usage/empty-sessions',
  summary: 'Data sessions of the period, and the SIMs with the most that ended without a byte (at most 20)',
  access: 'usage.view',
  query: Question,
  reply: z.object({ sessions: z.int(), empty_sessions: z.int(), sims: z.int(), items: z.array(EmptySessions) }),
})
