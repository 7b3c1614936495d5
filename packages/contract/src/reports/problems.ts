import { problem } from '../kernel/problem.ts'
import { mostPending, mostSchedules } from './report.ts'

export const tooManyReports = problem({
  code: 'too_many_reports',
  status: 409,
  title: `${mostPending} reports are waiting or being made: wait for one of them, or cancel it`,
})
export const tooManySchedules = problem({
  code: 'too_many_schedules',
  status: 409,
  title: `An account has at most ${mostSchedules} scheduled reports`,
})
export const reportNotReady = problem({ code: 'report_not_ready', status: 409, title: 'This report has no file' })
export const reportNotRunning = problem({
  code: 'report_not_running',
  status: 409,
  title: 'This report has ended: there is nothing to cancel',
})
export const reportNotRepeatable = problem({
  code: 'report_not_repeatable',
  status: 409,
  title: 'A report is made again once it failed, was cancelled or expired',
})
