import { formatMoney, micros } from '@masthead/contract/billing/money'
import {
  formatActivityTime,
  formatDay,
  formatDuration,
  formatExact,
  formatLongDuration,
  formatRelative,
} from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Section } from './Specimen.tsx'

const at = '2026-11-21T14:31:48Z'
const now = Date.parse(at)
const ago = (seconds: number) => formatRelative(new Date(now - seconds * 1000).toISOString(), now)

const words: Record<string, [string, string][]> = {
  'File sizes': [0, Number.NaN, 999, 1000, 1_234_567, 86_400_000, 1.5e9, 2.25e12, 3e15].map((bytes) => [String(bytes), formatBytes(bytes)]),
  Times: [
    ['activity', formatActivityTime(at)],
    ['exact', formatExact(at)],
    ['day', formatDay(at)],
    ['duration', formatDuration(4000)],
    ['long duration', formatLongDuration(22_320)],
  ],
  'Relative times': [0, 4, 90, 7200, 260_000, -30].map((seconds) => [`${seconds} s`, ago(seconds)]),
  Money: (
    [
      [1_284_600_000, 'USD'],
      [4_000, 'EUR'],
      [-5_250_000, 'GBP'],
      [12_000_000_000, 'JPY'],
      [0, 'CHF'],
    ] as const
  ).map(([amount, currency]) => [`${amount} ${currency}`, formatMoney(micros(amount), currency)]),
}

export function WordsPage() {
  return (
    <>
      {Object.entries(words).map(([title, rows]) => (
        <Section key={title} title={title}>
          <dl className="grid max-w-120 grid-cols-[160px_1fr] gap-y-1">
            {rows.map(([from, to]) => (
              <div key={from} className="contents">
                <dt className="mono text-fg-3">{from}</dt>
                <dd>{to}</dd>
              </div>
            ))}
          </dl>
        </Section>
      ))}
    </>
  )
}
