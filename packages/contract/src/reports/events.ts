import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const report = z.object({ report_id: z.string(), report_name: z.string(), report_date: z.string() })
const schedule = z.object({ schedule_id: z.string(), report_name: z.string() })
const refreshes = ['reports'] as const

export const reportRequested = event({
  name: 'reports.report_requested',
  refreshes,
  detail: report,
  sentence: 'Requested report {report_name} for {report_date}',
})
export const reportCompleted = event({
  name: 'reports.report_completed',
  refreshes,
  detail: z.extend(report, { format: z.string(), rows: z.int(), bytes: z.int() }),
  sentence: 'Report {report_name} for {report_date} is ready: {rows} rows',
})
export const reportFailed = event({
  name: 'reports.report_failed',
  refreshes,
  detail: z.extend(report, { failure: z.string() }),
  sentence: 'Report {report_name} for {report_date} failed: {failure}',
})
export const reportCancelled = event({
  name: 'reports.report_cancelled',
  refreshes,
  detail: report,
  sentence: 'Cancelled report {report_name} for {report_date}',
})
export const reportRetried = event({
  name: 'reports.report_retried',
  refreshes,
  detail: report,
  sentence: 'Requested report {report_name} for {report_date} again',
})
export const reportDownloaded = event({
  name: 'reports.report_downloaded',
  refreshes,
  detail: z.extend(report, { to_email: z.optional(z.string()) }),
  sentence: ({ to_email }) =>
    to_email
      ? 'Report {report_name} for {report_date} was downloaded by the link sent to {to_email}'
      : 'Downloaded report {report_name} for {report_date}',
})
export const reportDeleted = event({
  name: 'reports.report_deleted',
  refreshes,
  detail: report,
  sentence: 'Deleted report {report_name} for {report_date}',
})
export const scheduleCreated = event({
  name: 'reports.schedule_created',
  refreshes,
  detail: z.extend(schedule, { every: z.enum(['day', 'week', 'month']) }),
  sentence: 'Scheduled report {report_name} for each {every}',
})
export const scheduleUpdated = event({
  name: 'reports.schedule_updated',
  refreshes,
  detail: schedule,
  sentence: 'Changed the scheduled report {report_name}',
})
export const schedulePaused = event({
  name: 'reports.schedule_paused',
  refreshes,
  detail: schedule,
  sentence: 'Paused the scheduled report {report_name}',
})
export const scheduleResumed = event({
  name: 'reports.schedule_resumed',
  refreshes,
  detail: schedule,
  sentence: 'Resumed the scheduled report {report_name}',
})
export const scheduleStopped = event({
  name: 'reports.schedule_stopped',
  refreshes,
  detail: z.extend(schedule, { because: z.string() }),
  sentence: 'The scheduled report {report_name} stopped: {because}',
})
export const scheduleDeleted = event({
  name: 'reports.schedule_deleted',
  refreshes,
  detail: schedule,
  sentence: 'Deleted the scheduled report {report_name}',
})
