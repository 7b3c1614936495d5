import { expect, test } from 'vitest'
import { Falls } from './falls.ts'

test('each time in a row it waits twice as long, half a minute at most; a minute of being up ends the row', () => {
  let now = 0
  const falls = new Falls(() => now)
  falls.rose()
  expect([falls.fell(), falls.fell(), falls.fell()]).toEqual([300, 600, 1200])
  expect(falls.tooOften()).toBe(0)
  expect(falls.fell()).toBe(2400)
  expect(falls.tooOften()).toBe(4)
  for (let i = 0; i < 10; i++) expect(falls.fell()).toBeLessThanOrEqual(30_000)
  falls.rose()
  now += 59_000
  // It is up, but may fall as it did before.
  expect(falls.tooOften()).toBe(14)
  now += 1000
  expect(falls.tooOften()).toBe(0)
  expect(falls.fell()).toBe(300)
})
