import { backofficeToken } from '../api/session.ts'

/** What the backoffice token says of itself: when the stay ends, in seconds since 1970. Null without one. */
export function stayEnd(): number | null {
  try {
    const payload = backofficeToken()!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown }
    return typeof exp === 'number' ? exp : null
  } catch {
    return null
  }
}

/** "24 min", and the last minute in seconds. */
export function leftWords(seconds: number): string {
  if (seconds <= 0) return 'now'
  return seconds > 60 ? `in ${Math.ceil(seconds / 60)} min` : `in ${Math.ceil(seconds)} s`
}

/** From here on the end is announced, in seconds. */
export const soon = 300
