import * as ops from '@masthead/contract/notifications/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { acknowledgeAlerts, readAlerts } from './acknowledge-alerts.ts'
import { getAlert, getSummary, listAlerts } from './alert-queries.ts'
import { ruleRoutes } from './rules/routes.ts'
import { getPreference, setPreference } from './preferences.ts'

export const notificationRoutes: Route[] = [
  read(ops.listAlerts, ({ db, actor, query }) => listAlerts(db, actor, query)),
  read(ops.getAlert, ({ db, actor, params }) => getAlert(db, actor, params.alert_id)),
  read(ops.getSummary, ({ db, actor }) => getSummary(db, actor)),
  write(ops.acknowledgeAlerts, ({ db, actor, body }) => acknowledgeAlerts(db, actor, body)),
  write(ops.readAlerts, ({ db, actor, body }) => readAlerts(db, actor, body)),
  read(ops.getPreference, ({ db, actor }) => getPreference(db, actor)),
  write(ops.setPreference, ({ db, actor, body }) => setPreference(db, actor, body)),
  ...ruleRoutes,
]
