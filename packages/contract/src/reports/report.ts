import * as z from 'zod/mini'
import { AssetQueryText } from '../assets/query/query-text.ts'
import { Email, Name, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'

import type { Permission } from '../kernel/permission.ts'
import { TimeZone } from '../kernel/time-zone.ts'

export const reportId = idKind('rep')
export const scheduleId = idKind('rsc')

export const ReportKind = z.enum(['usage', 'records', 'costs', 'inventory', 'sessions', 'activities', 'silent'])
export type ReportKind = z.output<typeof ReportKind>

type About = {
  label: string
  words: string
  /** What one must hold to have it made: the rows are those of screens that ask for this. */
  needs: readonly Permission[]
  /** It is of a period; otherwise of the moment at which it is made. */
  hasPeriod: boolean
  /** The assets can be chosen. */
  ofAssets: boolean
}

export const reportKinds: Record<ReportKind, About> = {
  usage: {
    label: 'Usage per SIM',
    words: 'What each SIM used, up and down, with its countries',
    needs: ['usage.view', 'assets.view'],
    hasPeriod: true,
    ofAssets: true,
  },
  records: {
    label: 'CDR detail',
    words: 'Each usage record: time, session, address, network, bytes, price, and its cost where records are rounded one by one',
    needs: ['usage.view', 'assets.view'],
    hasPeriod: true,
    ofAssets: true,
  },
  costs: {
    label: 'Cost detail',
    words: 'Each charge of data, SIM fee, paid term of a data pool and refund, by days in UTC, with prices and how it was rounded',
    needs: ['billing.view', 'assets.view'],
    hasPeriod: true,
    ofAssets: true,
  },
  inventory: {
    label: 'SIM inventory',
    words: 'Each asset with its numbers, state, limit and group, as of now',
    needs: ['assets.view'],
    hasPeriod: false,
    ofAssets: true,
  },
  sessions: {
    label: 'Sessions',
    words: 'Data sessions that were open in the period',
    needs: ['assets.view'],
    hasPeriod: true,
    ofAssets: true,
  },
  activities: {
    label: 'Activities',
    words: 'What happened on the account, and who did it',
    needs: ['overview.view'],
    hasPeriod: true,
    ofAssets: false,
  },
  silent: {
    label: 'Silent SIMs',
    words: 'Active SIMs that used nothing in the period',
    needs: ['usage.view', 'assets.view'],
    hasPeriod: true,
    ofAssets: true,
  },
}

/** What somebody lacks to have a report of a kind made. */
export const lacksFor = (permissions: 'all' | readonly string[], kind: ReportKind): Permission[] =>
  reportKinds[kind].needs.filter((needed) => permissions !== 'all' && !permissions.includes(needed))

export const ReportFormat = z.enum(['csv', 'json', 'xlsx'])
export type ReportFormat = z.output<typeof ReportFormat>

/** `pending` until it is its turn; `expired`: its file is deleted. */
export const ReportState = z.enum(['pending', 'running', 'complete', 'failed', 'cancelled', 'expired'])
export type ReportState = z.output<typeof ReportState>

/** A file is kept so long, and a mailed link works so long. */
export const fileDays = 30
export const linkDays = 7
/** So many of an account are made at once; others wait. And so many may wait. */
export const mostRunning = 2
export const mostPending = 20
export const mostSchedules = 50
export const mostRecipients = 10
/** The longest period of one report. */
export const longestDays = 400

export const canCancel = (state: ReportState): boolean => state === 'pending' || state === 'running'
export const canRetry = (state: ReportState): boolean => state === 'failed' || state === 'cancelled' || state === 'expired'

const Named = z.object({ id: z.string(), name: z.string() })
/** Which assets: with any of the tags, in any of the groups, and matching the line. */
export const ReportFilter = z.object({ tags: z.array(Named), network_groups: z.array(Named), q: z.nullable(z.string()) })
export type ReportFilter = z.output<typeof ReportFilter>

export const Report = z.object({
  id: z.string(),
  name: z.string(),
  kind: ReportKind,
  format: ReportFormat,
  state: ReportState,
  /** The first and the last day, in the time zone; null for a kind without a period. */
  start: z.nullable(z.iso.date()),
  end: z.nullable(z.iso.date()),
  timezone: z.string(),
  filter: ReportFilter,
  requested_by: z.string(),
  /** The schedule that it is of; null: somebody asked for it, or the schedule is gone. */
  schedule_id: z.nullable(z.string()),
  recipients: z.array(z.string()),
  created_at: Time,
  started_at: z.nullable(Time),
  finished_at: z.nullable(Time),
  /** Until when its file can be downloaded. */
  expires_at: z.nullable(Time),
  rows: z.int(),
  /** How far it is, from 0 to 1; null where that is not known. */
  share: z.nullable(z.number()),
  bytes: z.nullable(z.int()),
  /** While it waits: how many come before it. */
  before: z.nullable(z.int()),
  /** Why it failed, in words. */
  failure: z.nullable(z.string()),
})
export type Report = z.output<typeof Report>

const Recipients = z.array(Email).check(z.maxLength(mostRecipients, `Use at most ${mostRecipients} addresses`))
const words = z.array(z.string().check(z.maxLength(120))).check(z.maxLength(50))
const choice = {
  kind: ReportKind,
  format: z._default(ReportFormat, 'csv'),
  /** What it is called; its kind and period unless said. */
  name: z.optional(Name),
  timezone: z.optional(TimeZone),
  /** Ids or names. */
  tags: z._default(words, []),
  network_groups: z._default(words, []),
  /** A line as in the list of assets. */
  q: z.optional(AssetQueryText),
  /** Who gets a link to the file by mail, once it is there. */
  recipients: z._default(Recipients, []),
}

export const RequestReportBody = z.object({
  ...choice,
  /** Days in the time zone, both included. */
  start: z.optional(z.iso.date()),
  end: z.optional(z.iso.date()),
})
export type RequestReportBody = z.output<typeof RequestReportBody>

/** Of the day, the week (Monday to Sunday) or the calendar month before. */
export const Every = z.enum(['day', 'week', 'month'])
export type Every = z.output<typeof Every>
/** `stopped`: whoever made it may no longer have it made. */
export const ScheduleState = z.enum(['active', 'paused', 'stopped'])
export type ScheduleState = z.output<typeof ScheduleState>
const Hour = z.int().check(z.minimum(0, 'Choose an hour from 0 to 23'), z.maximum(23, 'Choose an hour from 0 to 23'))

export const ReportSchedule = z.object({
  id: z.string(),
  name: z.string(),
  kind: ReportKind,
  format: ReportFormat,
  every: Every,
  hour: z.int(),
  timezone: z.string(),
  filter: ReportFilter,
  recipients: z.array(z.string()),
  state: ScheduleState,
  /** Why it stopped, in words. */
  stopped_because: z.nullable(z.string()),
  next_at: z.nullable(Time),
  requested_by: z.string(),
  created_at: Time,
})
export type ReportSchedule = z.output<typeof ReportSchedule>

export const CreateScheduleBody = z.object({ ...choice, every: Every, hour: z._default(Hour, 6) })
export type CreateScheduleBody = z.output<typeof CreateScheduleBody>

export const UpdateScheduleBody = z.partial(
  z.object({
    name: Name,
    format: ReportFormat,
    every: Every,
    hour: Hour,
    timezone: TimeZone,
    recipients: Recipients,
    /** Paused, or active again. */
    active: z.boolean(),
  })
)
export type UpdateScheduleBody = z.output<typeof UpdateScheduleBody>
