import { expect, test } from 'vitest'
import { sessionSeconds } from './access-rules.ts'

test.each([
  [null, 0, 86_400],
  [1000, 0, 86_400],
  [1000, 875, 43_200],
  [1000, 990, 3456],
  [1000, 1000, 900],
])('a session of a SIM with limit %s that used %s may last %s s', (limit, used, seconds) => {
  expect(sessionSeconds({ limit, used })).toBe(seconds)
})
