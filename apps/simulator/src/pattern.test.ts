import { describe, expect, test } from 'vitest'
import { patterns, trafficOf } from './pattern.ts'
import { seededRandom, seedFor } from './random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const midnight = Date.UTC(2026, 0, 5)

/** What a pattern moves in `from`..`to`, counted in steps. */
function moved(name: keyof typeof patterns, from: number, to: number, { step = 5 * minute, age = 0 } = {}) {
  const random = seededRandom(7)
  const pattern = patterns[name]
  const total = { up: 0, down: 0 }
  for (let at = from; at < to; at += step) {
    const { up, down } = trafficOf(pattern, { from: at, to: at + step, age: age + at - from, daily_bytes: pattern.daily_bytes }, random)
    expect(Number.isInteger(up) && Number.isInteger(down) && up >= 0 && down >= 0).toBe(true)
    total.up += up
    total.down += down
  }
  return total
}

describe.each(['tracker', 'camera', 'router'] as const)('a %s', (name) => {
  test('moves its daily bytes in a day, in its own direction', () => {
    const { up, down } = moved(name, midnight, midnight + day)
    const { daily_bytes, up: share } = patterns[name]
    expect((up + down) / daily_bytes).toBeCloseTo(1, 1)
    expect(up / (up + down)).toBeCloseTo(share, 1)
  })

  test('has a daily rhythm', () => {
    const perHour = Array.from({ length: 24 }, (_, i) => moved(name, midnight + i * hour, midnight + (i + 1) * hour)).map(
      ({ up, down }) => up + down
    )
    expect(Math.max(...perHour)).toBeGreaterThan(4 * Math.min(...perHour))
  })
})

test('a meter comes at night, and once', () => {
  const random = seededRandom(3)
  for (const now of [midnight, midnight + hour, midnight + 13 * hour]) {
    const at = now + patterns.meter.rest(now, random)
    expect(at).toBeGreaterThanOrEqual(midnight + day)
    expect(at).toBeLessThan(midnight + day + 4 * hour)
  }
  const { up, down } = moved('meter', midnight, midnight + 6 * minute, { step: minute })
  expect((up + down) / patterns.meter.daily_bytes).toBeCloseTo(1, 0)
})

test('a runaway doubles every twenty minutes, until it cannot', () => {
  const at = (age: number) => moved('runaway', midnight, midnight + 10 * minute, { step: minute, age }).up
  expect(at(40 * minute) / at(0)).toBeGreaterThan(3)
  expect(at(5 * hour) / at(0)).toBeGreaterThan(5000)
  expect(at(48 * hour) / at(24 * hour)).toBeLessThan(1.5)
})

test('a tracker roams every few hours; others stay', () => {
  const random = seededRandom(5)
  const roam = patterns.tracker.roam(random) / hour
  expect(roam).toBeGreaterThanOrEqual(4)
  expect(roam).toBeLessThanOrEqual(9)
  expect(patterns.camera.roam(random)).toBe(Infinity)
})

test('the silent never come', () => {
  expect(patterns.silent.rest(midnight, seededRandom(1))).toBe(Infinity)
})

test('chance is the same for the same seed, and another for each SIM', () => {
  const draw = (seed: number, name: string) => {
    const random = seededRandom(seedFor(seed, name))
    return Array.from({ length: 5 }, () => random.next())
  }
  expect(draw(1, 'a')).toEqual(draw(1, 'a'))
  expect(draw(1, 'a')).not.toEqual(draw(1, 'b'))
  expect(draw(1, 'a')).not.toEqual(draw(2, 'a'))
})
