import type { Signal } from './kernel/live.ts'

// What changes without an event, and which areas show it.

const signal = (declared: Signal): Signal => declared

/** The meter counted usage of SIMs. */
export const usageCounted = signal({ name: 'usage.counted', refreshes: ['usage', 'assets', 'overview'] })
/** A session began, went on or ended. */
export const sessionChanged = signal({ name: 'assets.session_changed', refreshes: ['assets', 'overview'] })
/** Something happened on a SIM's way to the network. */
export const connectionChanged = signal({ name: 'assets.connection_changed', refreshes: ['assets', 'overview'] })
/** A system reported where an asset is. */
export const positionReported = signal({ name: 'assets.position_reported', refreshes: ['assets', 'overview'] })
/** It was judged which SIMs were as usual in the hour that is over. */
export const hoursJudged = signal({ name: 'overview.hours_judged', refreshes: ['overview'] })
/** Many SIMs were blocked or unblocked for one reason. */
export const blocksChanged = signal({ name: 'assets.blocks_changed', refreshes: ['assets', 'overview'] })
/** SIMs came into data pools, or left them, by a job. */
export const poolSimsFollowed = signal({ name: 'datapools.sims_followed', refreshes: ['datapools', 'assets', 'overview'] })
/** A part of a bulk change is done. */
export const bulkProgressed = signal({ name: 'assets.bulk_progressed', refreshes: ['assets', 'overview'] })
/** The name or the second factor of somebody who works on the account. */
export const peopleChanged = signal({ name: 'teams.people_changed', refreshes: ['teams', 'auth', 'activities', 'overview'] })
export const keyUsed = signal({ name: 'developers.key_used', refreshes: ['developers'] })
export const deliveryTried = signal({ name: 'developers.delivery_tried', refreshes: ['developers'] })
/** How far reports are. */
export const reportProgressed = signal({ name: 'reports.report_progressed', refreshes: ['reports'] })
/** How far scans of images are. */
export const scanProgressed = signal({ name: 'registry.scan_progressed', refreshes: ['registry'] })
/** A device came, went, or said something of itself. */
export const deviceReported = signal({ name: 'devices.reported', refreshes: ['devices'] })
/** A device was refused by a CORE deployment, or asked once more. */
export const enrolmentRefused = signal({ name: 'core.enrolment_refused', refreshes: ['core'] })
/** Devices of a rollout moved on, or say how far they are. */
export const fleetMoved = signal({ name: 'alpon_fleets.moved', refreshes: ['alpon_fleets'] })
/** Devices of a rollout failed: they need attention. */
export const rolloutDevicesFailed = signal({ name: 'alpon_fleets.devices_failed', refreshes: ['assets', 'overview'] })
export const alertsChanged = signal({ name: 'notifications.alerts_changed', refreshes: ['notifications', 'overview'] })
/** Staff did something: for the consoles of staff. */
export const staffActed = signal({ name: 'backoffice.staff_acted', refreshes: ['backoffice'] })
/** Something was posted to the ledger. */
export const balanceChanged = signal({ name: 'billing.balance_changed', refreshes: ['billing'] })
