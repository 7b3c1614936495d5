import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agenda, standingClock } from './agenda.ts'

test('what is due happens in order of time, and of making where times are equal', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (times) => {
      const clock = standingClock(1000)
      const agenda = new Agenda(clock)
      const happened: [number, number][] = []
      times.forEach((at, i) => agenda.at(1000 + at, () => happened.push([at, i])))
      clock.advance(100)
      expect(happened).toEqual(times.map((at, i) => [at, i] as [number, number]).sort(([a, i], [b, j]) => a - b || i - j))
      expect(agenda.size).toBe(0)
    })
  )
})

test('what was called off does not happen, what is not due waits', () => {
  const clock = standingClock(0)
  const agenda = new Agenda(clock)
  const happened: string[] = []
  const first = agenda.in(10, () => happened.push('first'))
  agenda.in(20, () => happened.push('second'))
  agenda.in(30, () => happened.push('third'))
  first.cancel()
  clock.advance(25)
  expect(happened).toEqual(['second'])
  clock.advance(5)
  expect(happened).toEqual(['second', 'third'])
})

test('one thing may make the next, also for the same moment', () => {
  const clock = standingClock(0)
  const agenda = new Agenda(clock)
  const happened: number[] = []
  const again = (left: number) => {
    happened.push(clock.now())
    if (left > 0) agenda.in(left % 2 === 0 ? 0 : 10, () => again(left - 1))
  }
  agenda.in(5, () => again(4))
  clock.advance(100)
  expect(happened).toEqual([5, 5, 15, 15, 25])
})

test('a cleared agenda is silent', () => {
  const clock = standingClock(0)
  const agenda = new Agenda(clock)
  agenda.in(5, () => expect.unreachable())
  agenda.clear()
  clock.advance(100)
  expect(agenda.size).toBe(0)
})

test('where the clock is set back, what was to happen soon does not wait until it is as late again', () => {
  const hour = 3_600_000
  const clock = standingClock(10 * hour)
  const agenda = new Agenda(clock)
  const happened: string[] = []
  agenda.in(60_000, () => happened.push('made before'))
  clock.advance(5000)
  clock.set(8 * hour)
  agenda.in(120_000, () => happened.push('made after'))
  clock.advance(70_000)
  expect(happened).toEqual(['made before'])
  clock.advance(60_000)
  expect(happened).toEqual(['made before', 'made after'])
  // And by its own look at the clock, with nobody who makes anything.
  agenda.in(60_000, () => happened.push('last'))
  clock.advance(25_000)
  clock.set(hour)
  clock.advance(60_000)
  expect(happened.at(-1)).toBe('last')
})
