// What other areas may use of notifications.
export { acknowledgeAlerts } from './acknowledge-alerts.ts'
export { tellOf } from './effects.ts'
