import * as z from 'zod/mini'

/** Whether this machine knows a time zone: "Europe/Berlin". */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The name of a time zone: "Europe/Berlin", "UTC". */
export const TimeZone = z.string().check(z.maxLength(64), z.refine(isTimeZone, { error: 'There is no such time zone' }))
