import type { Clock } from '@masthead/server/kernel/app'

/**
 * A clock that stands still until it is moved. It starts at the real time, so that rows the database stamps fit in. `advance`: time passes; `set`: the time is
 * another one, and none has passed.
 */
export function testClock(start = new Date()): Clock & {
  set: (to: Date | string) => void
  advance: (by: { days?: number; hours?: number; minutes?: number; seconds?: number }) => void
} {
  let now = start
  let passed = 0
  return {
    now: () => new Date(now),
    set: (to) => void (now = new Date(to)),
    passed: () => passed,
    advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
      now = new Date(now.getTime() + ms)
      passed += ms
    },
  }
}
