export const zones: Readonly<Record<string, string>> = { '262-01': 'Europe', '310-260': 'America' }

/** What was counted, or corrected, in an hour since 1970. `rat` is empty where a correction came to a network without usage. */
export type UsedInHour = { day: string; hour: number; network: string; rat: string; bytes: number }

/** The hours of a day, of one network or of all: those with the most first. The day's first hour is there in any case. */
export function hoursOf(used: readonly UsedInHour[], day: string, network: string | null): UsedInHour[] {
  const first = { day, hour: Date.parse(day) / 3_600_000, network: network ?? '', rat: '', bytes: 0 }
  const hours = new Map<string, UsedInHour>()
  for (const each of [first, ...used]) {
    if (each.day !== day || (network !== null && each.network !== network)) continue
    const key = `${each.hour} ${each.network} ${each.rat}`
    hours.set(key, { ...each, bytes: (hours.get(key)?.bytes ?? 0) + each.bytes })
  }
  const name = (each: UsedInHour) => `${each.network} ${each.rat}`
  return [...hours.values()].sort((a, b) => b.bytes - a.bytes || a.hour - b.hour || (name(a) < name(b) ? -1 : 1))
}

/** What is taken from pools; of those alone that the SIM joined before a time, where one is said. */
export type Drawn = { from: number; at: number; bytes: number; network: string; joinedBefore?: number }
