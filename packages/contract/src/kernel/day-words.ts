// Made once: to make one takes longer than all else that Node does for a SIM that is blocked, and a data pool that is used up blocks 100,000.
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Like 1 December. */
export const dayWords = (day: Date): string => days.format(day)
/** Like December 2026. */
export const monthWords = (day: Date): string => months.format(day)
