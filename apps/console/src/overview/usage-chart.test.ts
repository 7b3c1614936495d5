import { expect, test } from 'vitest'
import type { Overview } from './range-words.ts'
import { chartOf } from './usage-chart.ts'

const day = (n: number, bytes_down: number, bytes_up: number) => ({ at: `2026-11-0${n}T00:00:00Z`, bytes_down, bytes_up })
const usage: Overview['usage'] = {
  start: '2026-11-01T00:00:00Z',
  end: '2026-11-06T00:00:00Z',
  interval: 'day',
  bytes_up: 10,
  bytes_down: 90,
  previous_bytes: 50,
  points: [day(1, 30, 0), day(2, 60, 10)],
  previous_points: [day(1, 20, 5), day(2, 20, 5), day(3, 1, 1)],
  complete_until: null,
}

test('the days to come have their part of the forecast, and are marked as one', () => {
  const { series, before } = chartOf(usage, 250)
  expect(series).toEqual([
    { label: 'Download', values: [30, 60, 45, 45, 45], forecastFrom: 2 },
    { label: 'Upload', values: [0, 10, 5, 5, 5], forecastFrom: 2 },
  ])
  expect(before).toEqual([25, 25, 2, null, null])
})

test('without a forecast the days to come are empty', () => {
  expect(chartOf(usage, null).series).toEqual([
    { label: 'Download', values: [30, 60, null, null, null] },
    { label: 'Upload', values: [0, 10, null, null, null] },
  ])
})
