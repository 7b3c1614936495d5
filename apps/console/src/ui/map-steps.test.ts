import { expect, test } from 'vitest'
import { stepOf, stepsOf } from './map-steps.ts'

test('about as many values stand in each step; nothing has none', () => {
  const steps = stepsOf([0, ...Array.from({ length: 100 }, (_, i) => i + 1)])
  expect(steps).toEqual([1, 21, 41, 61, 81])
  expect([0, 1, 20, 21, 100].map((value) => stepOf(value, steps))).toEqual([-1, 0, 0, 1, 4])
})

test('where there are few values each has a step of its own, however many countries have it', () => {
  const values = [12_000, 14_000, 18_000, 350_000, ...Array.from({ length: 100 }, () => 1_400_000)]
  expect(stepsOf(values)).toEqual([12_000, 14_000, 18_000, 350_000, 1_400_000])
})
