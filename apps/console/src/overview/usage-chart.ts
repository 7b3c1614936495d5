import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { intervalStarts } from '../usage/index.ts'
import type { Overview } from './range-words.ts'

/** `forecast`: what the whole period comes to. Each day to come has its part of that, upload and download as they were so far. */
export function chartOf(usage: Overview['usage'], forecast: number | null) {
  const times = intervalStarts(usage, usage.interval)
  const padded = (values: readonly number[]) => times.map((_, at) => values[at] ?? null)
  const perByte = forecast ? forecast / (usage.bytes_up + usage.bytes_down) / times.length : null
  const { length: forecastFrom } = usage.points
  const known = (values: readonly number[], sum: number) =>
    perByte === null ? { values: padded(values) } : { values: times.map((_, at) => values[at] ?? sum * perByte), forecastFrom }
  return {
    kind: 'bars' as const,
    times,
    interval: usage.interval,
    series: [
      // In this order on every chart: a colour means one direction.
      {
        label: 'Download',
        ...known(
          usage.points.map((point) => point.bytes_down),
          usage.bytes_down
        ),
      },
      {
        label: 'Upload',
        ...known(
          usage.points.map((point) => point.bytes_up),
          usage.bytes_up
        ),
      },
    ],
    before: padded(usage.previous_points.map((point) => point.bytes_up + point.bytes_down)),
    // Below each other, so that the points line up.
    format: formatSteadyBytes,
    axis: formatBytes,
  }
}
