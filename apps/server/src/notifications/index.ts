// What other areas may use of notifications.
export { acknowledgeAlerts } from './acknowledge-alerts.ts'
export { alertsSeen, countOpenAlerts } from './alert-queries.ts'
export { notifyOf } from './effects.ts'
export { raiseAlert, resolveAlert } from './raise-alert.ts'
export { createRule, enableRule } from './rules/change-rules.ts'
