import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import {
  imsiTaken,
  ownAccount,
  quarantineNotCountable,
  quarantineResolved,
  sessionOfAnother,
  simUnknown,
  staffMayMore,
} from './problems.ts'
import { Reason } from './reason.ts'

export const QuarantineState = z.enum(['open', 'matched', 'discarded'])

/** The number of packets that name none. */
export const namesNone = 'none'

/** A session that gateways reported and that is not counted, or not all of it. Counters are the highest reported, or what was left out. */
export const Quarantined = z.object({
  id: z.string(),
  state: QuarantineState,
  /** `unknown`: of a SIM that nobody has registered; `uncounted`: left out of a session of a known one; the others cannot be counted. */
  kind: z.enum(['unknown', 'uncounted', 'elsewhere', 'unstorable']),
  why: z.string(),
  /** Why it can be counted for no SIM, in words; null: it can. */
  cannot_match: z.nullable(z.string()),
  /** The ICCID of the one SIM that it can be counted for, as a session with its id is counted for that. Null: staff may name any. */
  only_sim: z.nullable(z.string()),
  gateway: z.string(),
  /** `elsewhere`: the gateway whose session it is counted in. */
  counted_by: z.nullable(z.string()),
  acct_session_id: z.string(),
  /** The number the gateway named: an IMSI, else an MSISDN, else a user name; `namesNone` where it named none. */
  identity: z.string(),
  /** `uncounted`: the ICCID of the SIM that the session is of. Null of others, and where the session or its SIM is gone. */
  session_sim: z.nullable(z.string()),
  first_at: Time,
  last_at: Time,
  packets: z.int(),
  bytes_up: Bytes,
  bytes_down: Bytes,
  mccmnc: z.nullable(z.string()),
  network: z.nullable(z.string()),
  country: z.nullable(z.string()),
  rat: z.nullable(z.string()),
  /** What the last packet said. */
  last_packet: z.record(z.string(), z.unknown()),
  resolved_at: z.nullable(Time),
  resolved_by: z.nullable(z.string()),
  resolve_reason: z.nullable(z.string()),
  matched: z.nullable(z.object({ account: z.string(), asset_id: z.string(), asset_name: z.string(), iccid: z.string() })),
  /** When its usage was counted; null while that is on its way. */
  counted_at: z.nullable(Time),
})
export type Quarantined = z.output<typeof Quarantined>

export const listQuarantine = operation({
  name: 'backoffice.listQuarantine',
  method: 'GET',
  path: '/backoffice/quarantine',
  summary: 'Usage that was not counted, the latest first',
  access: 'manage_networks',
  query: z.extend(PageQuery, {
    state: z._default(QuarantineState, 'open'),
    /** The beginning of a number, or a session id. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(64))),
    gateway: z.optional(z.string().check(z.maxLength(64))),
  }),
  reply: page(Quarantined),
})

export const getQuarantineTotals = operation({
  name: 'backoffice.getQuarantineTotals',
  method: 'GET',
  path: '/backoffice/quarantine/totals',
  summary: 'How much usage waits in quarantine',
  access: 'manage_networks',
  reply: z.object({
    open: z.int(),
    numbers: z.int(),
    bytes: Bytes,
    oldest_at: z.nullable(Time),
    matched: z.int(),
    discarded: z.int(),
  }),
})

export const matchQuarantine = operation({
  name: 'backoffice.matchQuarantine',
  method: 'POST',
  path: '/backoffice/quarantine/{quarantine_id}/match',
  summary: 'Match usage to a SIM, or accept usage left out of a session: it is counted there, once',
  access: 'manage_networks',
  body: z.object({
    /** An ICCID, an IMSI, an MSISDN or a serial number. */
    sim: z.string().check(z.trim(), z.minLength(3, 'Enter an ICCID, an IMSI or a serial number'), z.maxLength(64)),
    /** Every open session of the same number, not this one alone; where no number was named, each is by itself. */
    all_sessions: z._default(z.boolean(), true),
    /** The SIM has this IMSI from now on: what it reports next is counted at once. */
    add_imsi: z._default(z.boolean(), false),
    reason: Reason,
  }),
  reply: z.object({ sessions: z.int(), bytes: Bytes, account: z.string(), asset_name: z.string() }),
  problems: [notFound, simUnknown, ownAccount, staffMayMore, quarantineResolved, quarantineNotCountable, sessionOfAnother, imsiTaken],
})

export const discardQuarantine = operation({
  name: 'backoffice.discardQuarantine',
  method: 'POST',
  path: '/backoffice/quarantine/{quarantine_id}/discard',
  summary: 'Set usage aside for good',
  access: 'manage_networks',
  body: z.object({ all_sessions: z._default(z.boolean(), true), reason: Reason }),
  reply: z.object({ sessions: z.int() }),
  problems: [notFound, ownAccount, staffMayMore, quarantineResolved],
})
