import { expect, test } from 'vitest'
import { clockTime, minutesOf, nextAt, quietUntil } from './quiet-hours.ts'

const hours = (from: string, to: string, timezone: string) => ({ from: minutesOf(from), to: minutesOf(to), timezone })
const end = (at: string, quiet: ReturnType<typeof hours>) => quietUntil(new Date(at), quiet)?.toISOString() ?? null

test.each([
  // in the day, in UTC
  ['2026-11-21T12:30:20Z', hours('12:00', '13:00', 'UTC'), '2026-11-21T13:00:00.000Z'],
  ['2026-11-21T12:00:00Z', hours('12:00', '13:00', 'UTC'), '2026-11-21T13:00:00.000Z'],
  ['2026-11-21T11:59:59Z', hours('12:00', '13:00', 'UTC'), null],
  ['2026-11-21T13:00:00Z', hours('12:00', '13:00', 'UTC'), null],
  // through midnight, where the person is
  ['2026-11-21T21:30:00Z', hours('22:00', '07:00', 'Europe/Warsaw'), '2026-11-22T06:00:00.000Z'],
  ['2026-11-22T05:59:00Z', hours('22:00', '07:00', 'Europe/Warsaw'), '2026-11-22T06:00:00.000Z'],
  ['2026-11-22T06:00:00Z', hours('22:00', '07:00', 'Europe/Warsaw'), null],
  ['2026-11-21T18:00:00Z', hours('22:00', '07:00', 'Asia/Kolkata'), '2026-11-22T01:30:00.000Z'],
  // the clock is put forward at 01:00 UTC of 29 March 2026, and back at 01:00 UTC of 25 October
  ['2026-03-28T22:00:00Z', hours('22:00', '07:00', 'Europe/Warsaw'), '2026-03-29T05:00:00.000Z'],
  ['2026-10-24T21:00:00Z', hours('22:00', '07:00', 'Europe/Warsaw'), '2026-10-25T06:00:00.000Z'],
])('at %s of %o it is quiet until %s', (at, quiet, until) => expect(end(at, quiet)).toBe(until))

test.each([
  ['2026-11-23T07:29:59Z', '2026-11-23T07:30:00.000Z'],
  ['2026-11-23T07:30:00Z', '2026-11-23T07:30:00.000Z'],
  // A mail of the day is one: what happens in its minute is for the next.
  ['2026-11-23T07:30:20Z', '2026-11-24T07:30:00.000Z'],
  ['2026-11-23T07:31:00Z', '2026-11-24T07:30:00.000Z'],
])('after %s it is half past eight in Warsaw at %s', (at, next) =>
  expect(nextAt(new Date(at), minutesOf('08:30'), 'Europe/Warsaw').toISOString()).toBe(next)
)

test('times of the day in words and back', () => {
  for (const clock of ['00:00', '07:05', '23:59']) expect(clockTime(minutesOf(clock))).toBe(clock)
})
