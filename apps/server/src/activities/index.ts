// What other areas may use of activities.
import type { App } from '../kernel/app.ts'
import { repeat } from '../kernel/jobs/repeat.ts'
import { sealEvents } from './seal-events.ts'

export { eventsRead, mayRead, readerOf, withTheirCounts, type Reader } from './events-read.ts'
export { latestActivities } from './list-activities.ts'
export { proveActivities } from './prove-activities.ts'

/** Seals what happens, about every second, until stopped. */
export const startSealing = (app: App) => repeat(app, 'sealing activities', () => sealEvents(app))
