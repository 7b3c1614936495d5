// What other areas may use of usage.
export { proveRollUps, rebuildRollUps } from './roll-ups/rebuild-roll-ups.ts'
export { provedInWords, rebuiltInWords } from './roll-ups/roll-up-words.ts'
export { betweenDrops, dropOldRecords, ensurePartitions, noteRecordsSince } from './roll-ups/record-keeping.ts'
export { adoptRestoredRecords, endedBelow, startRollUp } from './roll-ups/roll-up.ts'
export { recountAhead } from './roll-ups/recount-ahead.ts'
export { totalBytes } from './total-bytes.ts'
export { correctDay, lockTotals, sumDay, takeBack, type DayOfSim } from './roll-ups/correct-day.ts'
export { limitNow } from './limit-now.ts'
export { countAwaited, isFed } from './lapses/waits-for-feed.ts'
export { callsFollowMinutes } from './lapses/waits-for-feed.ts'
export { judgeNext, startJudging } from './lapses/judge-hours.ts'
export { countUsual, findJudged, judgedUntil, neverSeen, offNow, type OffState, type WorkHour } from './lapses/off-now.ts'
export { moveCounter } from './move-counter.ts'
export { usageFigures } from './usage-figures.ts'
export {
  beginCreditEnforcements,
  beginEnforcements,
  beginPoolEnforcements,
  endEnforcements,
  keepDisconnect,
  measureEnforcements,
} from './enforcement.ts'
export { isNowFor, olderThanNow, seesLarge, shareMoment } from './large-account.ts'
export { rankGroups } from './usage-groups.ts'
export { describeSims } from './usage-labels.ts'
export { addMonths, floorTo, intervalsOf, nextOf, previousOf, usagePeriod, type Period } from './usage-period.ts'
export { findCompleteUntil, listUsagePoints, sumUsage } from './usage-queries.ts'
export { simSeen, usageRows, type Viewer } from './usage-source.ts'
