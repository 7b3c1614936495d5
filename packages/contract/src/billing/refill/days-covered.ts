import type { Balance } from '../ledger.ts'

const day = 86_400_000
/** Beyond it nobody can say. */
const mostDays = 365

/** How many days an amount lasts, if nothing is added: data as of late, and the fees on the first of each month in UTC. Null: longer than a year. */
export function daysCovered(
  available: number,
  { daily_micros, monthly_micros }: Pick<Balance, 'daily_micros' | 'monthly_micros'>,
  at: number
): number | null {
  let left = available
  for (let days = 0; days < mostDays; days++) {
    left -= daily_micros
    if (new Date(at + (days + 1) * day).getUTCDate() === 1) left -= monthly_micros
    if (left < 0) return days
  }
  return null
}
