// What other areas may use of usage.
export { adoptRestoredRecords, dropOldRecords, ensurePartitions, rebuildRollUps } from './record-keeping.ts'
export { startRollUp } from './roll-up.ts'
export { rankGroups } from './usage-groups.ts'
export { describeSims } from './usage-labels.ts'
export { addMonths, floorTo, intervalsOf, previousOf, usagePeriod, type Period } from './usage-period.ts'
export { findCompleteUntil, listUsagePoints, sumUsage } from './usage-queries.ts'
export { simSeen, usageHours, usageRows, type Viewer } from './usage-source.ts'
