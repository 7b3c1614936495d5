import { formatSteadyBytes } from '@masthead/contract/usage/bytes'

/** A figure and its unit apart. */
export function figure(bytes: number): { value: string; unit: string } {
  const [value = '0', unit = 'B'] = formatSteadyBytes(bytes).split(' ')
  return { value, unit }
}

/** How a figure compares with the one before: "+10.6 %", "−3 %"; null when there was nothing before. */
export function changeWords(now: number, before: number): string | null {
  if (before <= 0) return null
  const percent = (100 * (now - before)) / before
  const rounded = Math.abs(percent) < 99.95 ? Math.round(Math.abs(percent) * 10) / 10 : Math.round(Math.abs(percent))
  const sign = rounded === 0 ? '' : percent < 0 ? '−' : '+'
  return `${sign}${rounded.toLocaleString('en')} %`
}

/** What a period will come to at the pace of its days that are over; null too early to say, and when it is over. Bytes in and out. */
export function forecastBytes(bytes: number, { start, end }: { start: string; end: string }, now: number): number | null {
  const from = Date.parse(start)
  const part = (now - from) / (Date.parse(end) - from)
  return part < 0.1 || part >= 1 ? null : Math.round(bytes / part)
}
