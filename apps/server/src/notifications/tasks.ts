import { sql } from 'kysely'
import type { App } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { task } from '../kernel/jobs/jobs.ts'
import { updateAlerts } from './effects.ts'
import { resolveEndedCauses } from './ended-causes.ts'
import { notifyOfWaiting, notifyReceiver } from './handed-over.ts'
import { watchJobs } from './installation/failing-jobs.ts'
import { watchGateways } from './installation/silent-gateways.ts'
import { actOnSims } from './rules/act-on-sims.ts'
import { followRules } from './rules/follow-rules.ts'
import { restateRule } from './rules/restate-rule.ts'
import { takeBackDue } from './rules/take-back.ts'
import { sendDue } from './send-due.ts'

const day = 86_400_000
/** How long an alert is kept after it last happened; one that stands is kept as long as it does. */
const alertsKept = 30 * day
/** How long what a rule did is kept, and can be taken back. */
const firingsKept = 90 * day

export const notificationTasks = [
  updateAlerts,
  task('notifications.notify_receiver', notifyReceiver),
  task('notifications.notify_of_waiting', notifyOfWaiting, '* * * * *'),
  task('notifications.send_due', sendDue, '* * * * *'),
  task('notifications.watch_gateways', watchGateways, '* * * * *'),
  task('notifications.watch_jobs', watchJobs, '* * * * *'),
  task(
    'notifications.follow_rules',
    async (app: App) => {
      await takeBackDue(app)
      await followRules(app)
      await actOnSims(app)
    },
    '* * * * *'
  ),
  task('notifications.restate_rule', restateRule),
  task('notifications.resolve_ended', resolveEndedCauses, '* * * * *'),
  task(
    'notifications.forget',
    async (app: App) => {
      const ago = (time: number) => new Date(app.clock.now().getTime() - time)
      await forgetRows(app, 'alert', sql`last_at < ${ago(alertsKept)} and (resolved_at is not null or not lasting)`)
      // What a rule says once of a SIM it would say again.
      await forgetRows(
        app,
        'alert_rule_firing',
        sql`at < ${ago(firingsKept)} and not exists (select from alert_rule r where r.account_id = alert_rule_firing.account_id
          and r.id = alert_rule_firing.rule_id and r.metric = 'usage_ever')`
      )
    },
    '23 3 * * *'
  ),
]
