// What other areas may use of activities.
import type { App } from '../kernel/app.ts'
import { repeat } from '../kernel/jobs/repeat.ts'
import { chainEvents } from './chain-events.ts'

export { chainEvents, keepDigests } from './chain-events.ts'
export { asRead, eventsRead, mayRead, readerOf, type Reader } from './events-read.ts'
export { activitySheet, doneWith, findActivities, latestActivities } from './list-activities.ts'
export { proveEntry } from './prove-entry.ts'
export { proveActivities } from './prove-activities.ts'

/** Adds what happens to the hash chains, about every second, until stopped. */
export const startChaining = (app: App) => repeat(app, 'adding activities to the hash chain', () => chainEvents(app))
