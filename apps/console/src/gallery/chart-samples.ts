import { formatBytes } from '@masthead/contract/usage/bytes'
import type { ChartSeries } from '../ui/Chart.tsx'

// Numbers that are the same each time, so that pictures are.

export const bytes = formatBytes

/** The first seconds of so many days of November 2026. */
export const days = (count: number) => Array.from({ length: count }, (_, at) => Date.UTC(2026, 10, 1 + at) / 1000)

/** Values that go up and down around a size, with a week in them. */
export const wave = (count: number, size: number, seed: number): (number | null)[] =>
  Array.from({ length: count }, (_, at) => {
    const week = 1 + 0.18 * Math.sin(((at + seed) * 2 * Math.PI) / 7)
    const noise = 1 + 0.22 * Math.sin(at * 12.9898 + seed * 78.233)
    return Math.round(size * week * noise)
  })

const names = ['KPN', 'Orange', 'Vodafone', 'Telefónica', 'Telia', 'Swisscom', 'T-Mobile', 'Proximus']
export const series = (many: number, count: number): ChartSeries[] =>
  names.slice(0, many).map((label, at) => ({ label, values: wave(count, 1.2e9 / (at + 1.4), at) }))
