// What other areas may use of reports.
import type { App } from '../kernel/app.ts'
import { repeat } from '../kernel/jobs/repeat.ts'
import { makeNextReport } from './make-report.ts'
import { runNextSchedule } from './schedules/run-schedules.ts'

export { requestReport } from './request-report.ts'
export { createSchedule } from './schedules/change-schedule.ts'

/** So many reports one process makes at once. */
const atOnce = 2

/** Runs schedules and makes reports, until stopped: one that is being made then begins anew elsewhere. */
export function startReports(app: App): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const running = [
    repeat(app, 'running report schedules', () => runNextSchedule(app), 5000),
    ...Array.from({ length: atOnce }, () => repeat(app, 'making reports', () => makeNextReport(app, stopping.signal))),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}
