import { expect, test } from 'vitest'
import { Restarts } from './restarts.ts'

test('each time in a row it waits twice as long, half a minute at most; a minute of being up ends the row', () => {
  let now = 0
  const restarts = new Restarts(() => now)
  restarts.started()
  expect([restarts.ended(), restarts.ended(), restarts.ended()]).toEqual([300, 600, 1200])
  expect(restarts.tooOften()).toBe(0)
  expect(restarts.ended()).toBe(2400)
  expect(restarts.tooOften()).toBe(4)
  for (let i = 0; i < 10; i++) expect(restarts.ended()).toBeLessThanOrEqual(30_000)
  restarts.started()
  now += 59_000
  // It is up, but may end as it did before.
  expect(restarts.tooOften()).toBe(14)
  now += 1000
  expect(restarts.tooOften()).toBe(0)
  expect(restarts.ended()).toBe(300)
})
