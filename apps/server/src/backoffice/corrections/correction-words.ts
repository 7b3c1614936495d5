import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { correctableDays, correctionReachDays } from '@masthead/contract/usage/correction'

/** Why a day of a SIM cannot be corrected; null when it can. */
export function dayFault({ since }: { since: Date }, day: string, now: Date): string | null {
  const { first, last } = correctableDays(since, now)
  if (day > last) return 'Choose today or an earlier day, in UTC: nothing is counted of days to come'
  if (day >= first) return null
  const registered = dayOf(since)
  if (day < registered) return `The SIM was registered on ${formatDay(registered)}: nothing of it was counted before`
  return `Days can be corrected for ${correctionReachDays} days: choose ${formatDay(first)} or later`
}

/** Why no more can be taken away. */
export const belowZeroWords = (day: string, { bytes_up, bytes_down }: { bytes_up: number; bytes_down: number }) =>
  `You cannot subtract more than was counted: ${formatBytes(bytes_up)} up and ${formatBytes(bytes_down)} down on ${formatDay(day)}`
