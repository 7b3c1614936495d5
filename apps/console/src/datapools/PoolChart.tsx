import type { DataPool } from '@masthead/contract/datapools/pool'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useMemo } from 'react'
import { Chart, type ChartData } from '../ui/Chart.tsx'

const dayMs = 86_400_000

/** What was taken until the end of each day of the term, with what is likely to come and how sure that is. */
export function chartOf(pool: DataPool): ChartData {
  const start = Date.parse(pool.term_start)
  const count = Math.max(1, Math.round((Date.parse(pool.term_end) - start) / dayMs))
  const times = Array.from({ length: count }, (_, day) => (start + day * dayMs) / 1000)
  const sums: number[] = []
  for (const { bytes } of pool.days) sums.push((sums.at(-1) ?? 0) + bytes)
  const today = sums.length - 1
  // A pool that gives nothing more is used no further.
  const forecast = pool.state === 'exhausted' ? null : pool.forecast
  const used: (number | null)[] = times.map((_, day) => sums[day] ?? null)
  const low: (number | null)[] = times.map(() => null)
  const high: (number | null)[] = times.map(() => null)
  if (forecast && today >= 0 && today < count - 1) {
    for (let day = today; day < count; day++) {
      const part = (day - today) / (count - 1 - today)
      const at = (end: number) => sums[today]! + (end - sums[today]!) * part
      used[day] = at(forecast.at_end.expected)
      low[day] = at(forecast.at_end.low)
      high[day] = at(forecast.at_end.high)
    }
  }
  return {
    kind: 'line',
    times,
    interval: 'day',
    series: [{ label: 'Used', values: used, ...(forecast && { forecastFrom: today }) }],
    ...(forecast && { band: { label: 'Likely', low, high } }),
    marks: [
      { label: `Pool ${formatBytes(pool.size_bytes)}`, value: pool.size_bytes, tone: pool.used_bytes >= pool.size_bytes ? 'bad' : 'warn' },
    ],
    format: formatBytes,
  }
}

export function PoolChart({ pool, height = 150 }: { pool: DataPool; height?: number }) {
  const chart = useMemo(() => chartOf(pool), [pool])
  return <Chart label={`Data taken from ${pool.name}`} height={height} plain {...chart} />
}
