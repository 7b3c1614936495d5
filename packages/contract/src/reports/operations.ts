import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { forbidden, notFound, tooManyRequests } from '../kernel/problem.ts'
import { tagUnknown } from '../assets/problems.ts'
import { groupUnknown } from '../network-groups/problems.ts'
import { reportNotReady, reportNotRepeatable, reportNotRunning, tooManyReports, tooManySchedules } from './problems.ts'
import { CreateScheduleBody, Report, ReportSchedule, RequestReportBody, UpdateScheduleBody } from './report.ts'

/** A member, or an API key, limited to tags sees those that they asked for, as far as they were made of no other assets. */
export const listReports = operation({
  name: 'reports.listReports',
  method: 'GET',
  path: '/reports',
  summary: 'Reports, the newest first',
  access: 'reports.view',
  query: PageQuery,
  reply: page(Report),
})

export const getReport = operation({
  name: 'reports.getReport',
  method: 'GET',
  path: '/reports/{report_id}',
  summary: 'One report, and how far it is',
  access: 'reports.view',
  reply: Report,
  problems: [notFound],
})

/** It is made in the background, of what whoever asks may see at that time. Without a start and an end: of the month so far. */
export const requestReport = operation({
  name: 'reports.requestReport',
  method: 'POST',
  path: '/reports',
  summary: 'Have a report made',
  access: 'reports.edit',
  body: RequestReportBody,
  reply: Report,
  problems: [forbidden, tagUnknown, groupUnknown, tooManyReports, tooManyRequests],
})

export const cancelReport = operation({
  name: 'reports.cancelReport',
  method: 'POST',
  path: '/reports/{report_id}/cancel',
  summary: 'Cancel a report that waits or is being made',
  access: 'reports.edit',
  reply: Report,
  problems: [notFound, reportNotRunning],
})

export const retryReport = operation({
  name: 'reports.retryReport',
  method: 'POST',
  path: '/reports/{report_id}/retry',
  summary: 'Make a report again that failed, was cancelled or expired',
  access: 'reports.edit',
  reply: Report,
  problems: [notFound, reportNotRepeatable, tooManyReports],
})

export const deleteReport = operation({
  name: 'reports.deleteReport',
  method: 'DELETE',
  path: '/reports/{report_id}',
  summary: 'Delete a report and its file',
  access: 'reports.edit',
  problems: [notFound],
})

/** A part of it with a `Range` header. Kept for 30 days. */
export const exportReport = operation({
  name: 'reports.exportReport',
  method: 'GET',
  path: '/reports/{report_id}/file',
  summary: 'The file of a report',
  access: 'reports.view',
  gives: 'file',
  problems: [forbidden, notFound, reportNotReady],
})

/** For who was mailed a link: it works for seven days, and as long as who asked for the report may see what is in it. */
export const exportShared = operation({
  name: 'reports.exportShared',
  method: 'GET',
  path: '/report-links/{link}',
  summary: 'The file of a report, by a mailed link',
  access: 'public',
  gives: 'file',
  problems: [notFound],
})

export const listSchedules = operation({
  name: 'reports.listSchedules',
  method: 'GET',
  path: '/report-schedules',
  summary: 'Scheduled reports, by name (at most 50)',
  access: 'reports.view',
  reply: z.object({ items: z.array(ReportSchedule) }),
})

export const createSchedule = operation({
  name: 'reports.createSchedule',
  method: 'POST',
  path: '/report-schedules',
  summary: 'Have a report made each day, week or month',
  access: 'reports.edit',
  body: CreateScheduleBody,
  reply: ReportSchedule,
  problems: [forbidden, tagUnknown, groupUnknown, tooManySchedules, tooManyRequests],
})

export const updateSchedule = operation({
  name: 'reports.updateSchedule',
  method: 'PATCH',
  path: '/report-schedules/{schedule_id}',
  summary: 'Change, pause or resume a scheduled report',
  access: 'reports.edit',
  body: UpdateScheduleBody,
  reply: ReportSchedule,
  problems: [forbidden, notFound, tooManyRequests],
})

/** Reports that it made stay. */
export const deleteSchedule = operation({
  name: 'reports.deleteSchedule',
  method: 'DELETE',
  path: '/report-schedules/{schedule_id}',
  summary: 'Delete a scheduled report',
  access: 'reports.edit',
  problems: [notFound],
})
