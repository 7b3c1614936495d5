import { task } from '../kernel/jobs/jobs.ts'
import { dropOldRecords, ensurePartitions } from '../usage/index.ts'
import { dropConnectionEvents, ensureConnectionPartitions } from './connections/connection-partitions.ts'
import { mendCountersAhead } from './counters-ahead.ts'
import { cutSession } from './disconnect/cut-session.ts'
import { clearDataLimits } from './data-limit.ts'
import { closeSilentSessions, dropOldSessions, forgetQuarantined } from './end-sessions.ts'
import { judgeSessions } from './connections/forbidden-sessions.ts'
import type { SimOf } from '../assets/service/index.ts'
import { holdGroup, judgeLimits } from './set-limit.ts'
import { notifyLimits } from './notify-limits.ts'

export const meteringTasks = [
  task('cut_session', (app, payload: { account_id: string; session_id: string }) => cutSession(app, payload)),
  // Also within the month, should the turn of it have been missed.
  task('clear_data_limits', clearDataLimits, '0,10,20,30,40,50 * * * *'),
  task('mend_counters_ahead', mendCountersAhead, '4,14,24,34,44,54 * * * *'),
  task('hold_group', (app, payload: { account_id: string; group_id: string }) => holdGroup(app, payload)),
  task('judge_limits', ({ db, clock }, { sims }: { sims: SimOf[] }) =>
    db.transaction().execute((tx) => judgeLimits(tx, sims, clock.now()))
  ),
  task('judge_sessions', ({ db, clock }, { account_id, sim_ids }: { account_id: string; sim_ids: string[] }) =>
    db.transaction().execute((tx) =>
      judgeSessions(
        tx,
        sim_ids.map((sim_id) => ({ account_id, sim_id })),
        clock.now()
      )
    )
  ),
  task('notify_limits', notifyLimits, '* * * * *'),
  task('close_silent_sessions', closeSilentSessions, '5,15,25,35,45,55 * * * *'),
  task(
    'ensure_usage_partitions',
    async ({ db, clock }) => {
      await ensurePartitions(db, clock.now())
      await ensureConnectionPartitions(db, clock.now())
    },
    '10 * * * *'
  ),
  task('drop_old_usage_records', (app) => dropOldRecords(app, app.clock.now(), app.config.recordRetentionDays), '40 3 * * *'),
  task('drop_old_sessions', (app) => dropOldSessions(app, app.config.dataSessionRetentionDays), '10 4 * * *'),
  task('forget_quarantined', (app) => forgetQuarantined(app, app.config.dataSessionRetentionDays), '25 4 * * *'),
  task('drop_old_connection_events', (app) => dropConnectionEvents(app, app.clock.now(), app.config.recordRetentionDays), '40 4 * * *'),
]
