import { expect, test } from 'vitest'
import type { VitalsPoint } from '@masthead/contract/devices/vitals-operations'
import { chartOf, measures, sentenceOf } from './vitals-words.ts'

const from = Date.parse('2026-11-25T10:02:00Z')
const pointOf = (minutes: number, cpu_pct: number | null): VitalsPoint => ({
  at: new Date(Date.parse('2026-11-25T10:00:00Z') + minutes * 60_000).toISOString(),
  samples: 5,
  cpu_pct,
  cpu_max_pct: cpu_pct,
  memory_pct: null,
  disk_pct: null,
  temperature_c: null,
  temperature_max_c: null,
})

test('what was not measured is a gap, and said so; what is never measured has no chart', () => {
  const data = { step_s: 300, items: [pointOf(0, 10), pointOf(10, 30), pointOf(15, 20)] }
  const chart = chartOf(measures[0]!, data, from, from + 25 * 60_000)!
  expect(chart.interval).toBe('minute')
  expect(chart.times.map((time) => new Date(time * 1000).toISOString().slice(11, 16))).toEqual([
    '10:00',
    '10:05',
    '10:10',
    '10:15',
    '10:20',
    '10:25',
  ])
  expect(chart.series[0]!.values).toEqual([10, null, 30, 20, null, null])
  expect(sentenceOf(chart)).toBe('Between 10.0 % and 30.0 %. Not measured for 50 % of the time.')
  expect(sentenceOf(chartOf(measures[0]!, { step_s: 300, items: [pointOf(0, 10)] }, from, from + 60_000)!)).toBe('Always 10.0 %.')
  expect(chartOf(measures[1]!, data, from, from + 60_000)).toBeNull()
})
