import type { UsageInterval } from './usage.ts'

/** The longest period each interval may be asked for, in days. */
export const usageLongestDays: Record<UsageInterval, number> = { hour: 31, day: 400, month: 3660 }
