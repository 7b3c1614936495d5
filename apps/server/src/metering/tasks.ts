import { task } from '../kernel/jobs/jobs.ts'
import { dropOldRecords, ensurePartitions } from '../usage/index.ts'
import { cutSession } from './cut-session.ts'
import { clearDataLimits } from './data-limit.ts'
import { closeSilentSessions, dropOldSessions } from './end-sessions.ts'
import { holdGroup } from './set-limit.ts'

export const meteringTasks = [
  task('cut_session', (app, payload: { account_id: string; session_id: string }) => cutSession(app, payload)),
  // Also within the month, should the turn of it have been missed.
  task('clear_data_limits', clearDataLimits, '0,10,20,30,40,50 * * * *'),
  task('hold_group', (app, payload: { account_id: string; group_id: string }) => holdGroup(app, payload)),
  task('close_silent_sessions', closeSilentSessions, '5,15,25,35,45,55 * * * *'),
  task('ensure_usage_partitions', ({ db, clock }) => ensurePartitions(db, clock.now()), '10 * * * *'),
  task('drop_old_usage_records', (app) => dropOldRecords(app, app.clock.now(), app.config.recordRetentionDays), '40 3 * * *'),
  task('drop_old_sessions', (app) => dropOldSessions(app, app.config.dataSessionRetentionDays), '10 4 * * *'),
]
