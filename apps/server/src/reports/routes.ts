import * as ops from '@masthead/contract/reports/operations'
import { file, read, write, type Route } from '../kernel/http/routes.ts'
import { cancelReport, deleteReport, retryReport } from './change-report.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './schedules/change-schedule.ts'
import { getReport, listReports } from './report-queries.ts'
import { requestReport } from './request-report.ts'
import { listSchedules } from './schedules/schedule-queries.ts'
import { sendReport, sendShared } from './send-file.ts'

export const reportRoutes: Route[] = [
  read(ops.listReports, ({ db, actor, query }) => listReports(db, actor, query)),
  read(ops.getReport, ({ db, actor, params }) => getReport(db, actor, params.report_id)),
  write(ops.requestReport, ({ db, actor, body }) => requestReport(db, actor, body)),
  write(ops.cancelReport, ({ db, actor, params }) => cancelReport(db, actor, params.report_id)),
  write(ops.retryReport, ({ db, actor, params }) => retryReport(db, actor, params.report_id)),
  write(ops.deleteReport, ({ db, actor, params }) => deleteReport(db, actor, params.report_id)),
  file(ops.exportReport, (call) => sendReport(call, call.params.report_id)),
  file(ops.exportShared, (call) => sendShared(call, call.params.link)),
  read(ops.listSchedules, async ({ db, actor }) => ({ items: await listSchedules(db, actor) })),
  write(ops.createSchedule, ({ db, actor, body }) => createSchedule(db, actor, body)),
  write(ops.updateSchedule, ({ db, actor, params, body }) => updateSchedule(db, actor, params.schedule_id, body)),
  write(ops.deleteSchedule, ({ db, actor, params }) => deleteSchedule(db, actor, params.schedule_id)),
]
