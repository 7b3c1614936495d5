import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { Network } from '../networks/network.ts'
import { ImeiLock } from './device.ts'

/** What the customer wants of a SIM (domain: layer A). */
export const simStates = {
  inventory: 'Inventory',
  ready: 'Ready',
  active: 'Active',
  inactive: 'Inactive',
  standby: 'Standby',
  terminated: 'Terminated',
} as const
export type SimState = keyof typeof simStates
export const SimState = z.enum(Object.keys(simStates) as [SimState, ...SimState[]])

/** What the screen shows: `blocked` when a block stands on a SIM whose state would give service. */
export const simStatuses = { ...simStates, blocked: 'Blocked' } as const
export type SimStatus = keyof typeof simStatuses
export const SimStatus = z.enum(Object.keys(simStatuses) as [SimStatus, ...SimStatus[]])

/**
 * What the system holds against a SIM. A block never changes the intended state (domain: layer B). In the order in which reasons stand
 * everywhere, after the SIM's own state: asset, account, credits, staff, rules, device, pool, limit, cost.
 */
export const blockCodes = {
  asset_off: 'Asset switched off',
  account_suspended: 'Account suspended',
  balance: 'No credits left',
  staff: 'Held by staff',
  rule: 'Held by an alert rule',
  imei_mismatch: 'IMEI does not match',
  pool_exhausted: 'Data pool is used up',
  data_limit: 'Data limit reached',
  cost_cap: 'Daily cost limit reached',
} as const
export type BlockCode = keyof typeof blockCodes
export const BlockCode = z.enum(Object.keys(blockCodes) as [BlockCode, ...BlockCode[]])

export const SimBlock = z.object({
  code: BlockCode,
  since: Time,
  /** Who or what set it: `system`, `staff`, an e-mail address. */
  by: z.string(),
  /** Why, in words. */
  words: z.string(),
  /** What clears it, in words. */
  clears: z.string(),
  /** Of `rule`: which one it is; blocks of before do not say. */
  rule_id: z.optional(z.string()),
})
export type SimBlock = z.output<typeof SimBlock>

const places = Object.keys(blockCodes)
/** Reasons in the order in which they stand everywhere. */
export const inOrder = <Reason extends { code: string }>(reasons: readonly Reason[]): Reason[] =>
  reasons.toSorted((a, b) => places.indexOf(a.code) - places.indexOf(b.code))

export const DisconnectOutcome = z.object({
  requested_at: Time,
  answered_at: z.nullable(Time),
  attempts: z.int(),
  /** `gone`: the gateway no longer knew the session (Error-Cause 503). */
  answer: z.nullable(z.enum(['ack', 'nak', 'gone', 'timeout'])),
  words: z.string(),
})
export type DisconnectOutcome = z.output<typeof DisconnectOutcome>

/** A PDP session as the gateway reports it. Bytes up are sent by the device (Acct-Input-Octets). */
export const DataSession = z.object({
  id: z.string(),
  iccid: z.string(),
  acct_session_id: z.string(),
  gateway: z.string(),
  apn: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  rat: z.nullable(z.string()),
  network: z.nullable(Network),
  imei: z.nullable(z.string()),
  cell: z.nullable(z.string()),
  started_at: Time,
  updated_at: Time,
  ended_at: z.nullable(Time),
  /** In words: "User request", "Cut by Masthead", "Lost stop". */
  end_cause: z.nullable(z.string()),
  /** Open, but not a word for three intervals. */
  silent: z.boolean(),
  bytes_up: Bytes,
  bytes_down: Bytes,
  /** Why the SIM may not be where it is, in words; null: it may. */
  forbidden: z.nullable(z.string()),
  /** Who does not allow it: its network group; its data pools, of which none has data there; its account's balance, which would pay for it; or the price, which its account does not allow. */
  forbidden_by: z.nullable(z.enum(['group', 'pool', 'balance', 'price'])),
  /** The Disconnect-Request we sent for it, if any. */
  disconnect: z.nullable(DisconnectOutcome),
})
export type DataSession = z.output<typeof DataSession>

/** Why an open session goes on that its gateway was asked to end, inside a sentence; null: it was not asked, or has not answered yet. */
export function goesOnWords({ disconnect }: Pick<DataSession, 'disconnect'>): string | null {
  if (disconnect?.answer === 'nak') return 'its gateway refused to end it'
  return disconnect?.answer === 'timeout' ? 'its gateway does not answer' : null
}

/** Seconds without a report after which an open session is silent: three of the intervals in which it reports, of 5 minutes while that is not known. */
export const silentAfterSeconds = (interim_seconds: number | null): number => 3 * (interim_seconds ?? 300)

/** What a limit counts. Both begin at 00:00 UTC. */
export const limitPeriods = { day: 'today', month: 'this month' } as const
export const LimitPeriod = z.enum(Object.keys(limitPeriods) as ['day' | 'month', ...('day' | 'month')[]])
export type LimitPeriod = z.output<typeof LimitPeriod>

export const SimUsage = z.object({
  /** The billing period: a calendar month in UTC. */
  period_start: Time,
  period_end: Time,
  period_bytes: Bytes,
  bytes_up: Bytes,
  bytes_down: Bytes,
  /** What applies now: its own limit or its group's, and a raise for this period. Null: no limit. */
  limit_bytes: z.nullable(Bytes),
  /** What the limit counts; null: no limit. */
  limit_period: z.nullable(LimitPeriod),
  /** Used of the limit: of today or of this month. */
  limit_used_bytes: z.nullable(Bytes),
  /** Whose the limit is, and whether it is raised for the period that runs. Null: no limit. */
  limit_of: z.nullable(z.object({ scope: z.enum(['sim', 'group']), raised: z.boolean(), usual_bytes: Bytes })),
})
export type SimUsage = z.output<typeof SimUsage>

export const Sim = z.object({
  id: z.string(),
  /** As it is printed: 18 to 20 digits, with or without the check digit. */
  iccid: z.string(),
  imsi: z.nullable(z.string()),
  /** All IMSIs of a multi-IMSI SIM. */
  imsis: z.array(z.string()),
  msisdn: z.nullable(z.string()),
  eid: z.nullable(z.string()),
  /** Of the device that the network reported last, accepted or not. */
  imei: z.nullable(z.string()),
  imei_lock: z.object({
    /** What applies: its own, else the default of its group. */
    mode: ImeiLock,
    own: z.nullable(ImeiLock),
    /** The accepted devices; with a lock and none, the first that comes is accepted. */
    imeis: z.array(z.string()),
  }),
  state: SimState,
  status: SimStatus,
  state_changed_at: z.nullable(Time),
  state_changed_by: z.nullable(z.string()),
  activated_at: z.nullable(Time),
  /** Of a ready SIM that becomes active when it has used so much: free until then. Null: it becomes active with its first session. */
  test: z.nullable(z.object({ allowance_bytes: Bytes, used_bytes: Bytes })),
  /** In the order in which reasons stand everywhere. */
  blocks: z.array(SimBlock),
  usage: SimUsage,
  /** The live session, if any. */
  session: z.nullable(DataSession),
  /** Of an active SIM without a session: how its access was rejected last, in this hour or the one before, with nothing accepted since. Null: it was not. */
  refused: z.nullable(z.object({ at: Time, words: z.nullable(z.string()) })),
  network_group: z.object({ id: z.string(), name: z.string(), apn: z.nullable(z.string()) }),
  data_pool: z.nullable(z.object({ id: z.string(), name: z.string() })),
})
export type Sim = z.output<typeof Sim>

/** The states each action starts from. Read by the server's check and the console's disabled buttons. */
export const simActions = {
  activate: ['ready', 'inactive', 'standby'],
  deactivate: ['ready', 'active', 'standby'],
  standby: ['active', 'inactive'],
  /** Only of a SIM that was never active: its free state is not to be had again. */
  ready: ['inventory', 'inactive'],
  terminate: ['ready', 'active', 'inactive', 'standby'],
} satisfies Record<string, SimState[]>
export type SimAction = keyof typeof simActions

/** The state that each action leads to. */
export const simLeadsTo = {
  activate: 'active',
  deactivate: 'inactive',
  standby: 'standby',
  ready: 'ready',
  terminate: 'terminated',
} satisfies Record<SimAction, SimState>

/** A SIM as actions on its state see it. `blocks` left out: nothing is held against it. */
export type Actionable = { state: SimState; activated_at: unknown; blocks?: readonly { code: string }[] }

/** Whether an action can be done on a SIM. An active one that alert rules block can be activated: that takes off what they hold against it. */
export const simCan = (action: SimAction, { state, activated_at, blocks = [] }: Actionable): boolean =>
  ((simActions[action] as SimState[]).includes(state) && (action !== 'ready' || activated_at === null)) ||
  (action === 'activate' && state === 'active' && blocks.some(({ code }) => code === 'rule'))

/** The action that brings a SIM to a state, where there is one. */
export const simActionTo = (state: SimState): SimAction | undefined =>
  (Object.keys(simLeadsTo) as SimAction[]).find((action) => simLeadsTo[action] === state)
