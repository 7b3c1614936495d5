import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'reports.listReports': { access: 'reports.view' },
  'reports.getReport': { access: 'reports.view', sample: ({ report }) => ({ params: { report_id: report.id } }) },
  'reports.requestReport': {
    access: 'reports.edit',
    sample: () => ({ body: { kind: 'activities', name: 'Samples' }, other: { kind: 'activities', name: 'Others' } }),
  },
  'reports.cancelReport': {
    access: 'reports.edit',
    sample: ({ report }) => ({ params: { report_id: report.waiting_id } }),
  },
  'reports.retryReport': { access: 'reports.edit', sample: ({ report }) => ({ params: { report_id: report.failed_id } }) },
  'reports.deleteReport': {
    access: 'reports.edit',
    sample: ({ report }) => ({ params: { report_id: report.failed_id }, other: { report_id: report.id } }),
  },
  'reports.exportReport': { access: 'reports.view', sample: ({ report }) => ({ params: { report_id: report.id } }) },
  'reports.exportShared': { access: 'public', sample: ({ report }) => ({ params: { link: report.link } }) },
  'reports.listSchedules': { access: 'reports.view' },
  'reports.createSchedule': {
    access: 'reports.edit',
    sample: () => ({
      body: { kind: 'activities', every: 'day', name: 'Samples' },
      other: { kind: 'activities', every: 'day', name: 'Others' },
    }),
  },
  'reports.updateSchedule': {
    access: 'reports.edit',
    sample: ({ report }) => ({ params: { schedule_id: report.schedule_id }, body: { hour: 7 }, other: { hour: 8 } }),
  },
  'reports.deleteSchedule': {
    access: 'reports.edit',
    sample: ({ report }) => ({ params: { schedule_id: report.schedule_id }, other: { schedule_id: 'another' } }),
  },
}
