import type { VitalsPoint } from '@masthead/contract/devices/vitals-operations'
import type { ChartData } from '../../ui/Chart.tsx'

export const periods = {
  day: { label: '24 h', words: 'the last 24 hours', seconds: 86_400 },
  week: { label: '7 d', words: 'the last 7 days', seconds: 7 * 86_400 },
  month: { label: '30 d', words: 'the last 30 days', seconds: 30 * 86_400 },
} as const
export type Period = keyof typeof periods

const percent = (value: number) => `${value.toFixed(1)} %`
const degrees = (value: number) => `${value.toFixed(1)} °C`

type Measure = { title: string; mean: keyof VitalsPoint; peak?: keyof VitalsPoint; format: (value: number) => string; fromZero: boolean }
export const measures: readonly Measure[] = [
  { title: 'Processor', mean: 'cpu_pct', peak: 'cpu_max_pct', format: percent, fromZero: true },
  { title: 'Memory', mean: 'memory_pct', format: percent, fromZero: true },
  { title: 'Disk', mean: 'disk_pct', format: percent, fromZero: true },
  { title: 'Temperature', mean: 'temperature_c', peak: 'temperature_max_c', format: degrees, fromZero: false },
]

/** One measure on an even grid of times: where the device measured nothing the line has a gap. Null: nothing was measured at all. */
export function chartOf(
  measure: Measure,
  { items, step_s }: { items: readonly VitalsPoint[]; step_s: number },
  from: number,
  to: number
): ChartData | null {
  const byTime = new Map(items.map((item) => [Date.parse(item.at) / 1000, item]))
  const first = Math.floor(from / 1000 / step_s) * step_s
  const times = Array.from({ length: Math.max(1, Math.ceil((to / 1000 - first) / step_s)) }, (_, i) => first + i * step_s)
  const values = (key: keyof VitalsPoint) => times.map((time) => (byTime.get(time)?.[key] ?? null) as number | null)
  const mean = values(measure.mean)
  if (mean.every((value) => value === null)) return null
  const { format, fromZero, peak } = measure
  return {
    kind: 'line',
    times,
    interval: step_s < 3600 ? 'minute' : step_s < 86_400 ? 'hour' : 'day',
    series: [{ label: 'Mean', values: mean }, ...(peak ? [{ label: 'Highest', values: values(peak) }] : [])],
    fromZero,
    format,
    axis: (value) => format(value).replace('.0 ', ' '),
  }
}

/** What the chart shows, in a sentence: between which values, and for how much of the time nothing is known. */
export function sentenceOf({ series, format, times }: ChartData): string {
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const missing = series[0]!.values.filter((value) => value === null).length / times.length
  const range = format(least) === format(most) ? `Always ${format(least)}` : `Between ${format(least)} and ${format(most)}`
  if (missing < 0.01) return `${range}.`
  return `${range}. Not measured for ${missing < 0.1 ? (missing * 100).toFixed(1) : Math.round(missing * 100)} % of the time.`
}
