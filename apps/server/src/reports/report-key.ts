import type { ReportFormat } from '@masthead/contract/reports/report'

/** The beginning of all keys of reports. */
export const reportKeys = 'reports/'

type Run = { account_id: string; id: string; run: number }

/** Under which key the file of a run is kept. */
export const keyOf = ({ account_id, id, run }: Run): string => `${reportKeys}${account_id}/${id}.${run}`

/** What is kept under a key; null: nothing that we wrote. */
export function runOf(key: string): Run | null {
  const [, account_id, id, run] = /^reports\/(\w+)\/(\w+)\.(\d+)$/.exec(key) ?? []
  return account_id && id && run ? { account_id, id, run: Number(run) } : null
}

type File = { name: string; format: ReportFormat; start_day: string | null; end_day: string | null; created_at: Date }

/**
 * The header that has a file kept under a good name: `usage-per-sim-2026-11-01-to-2026-11-30.csv`. A name is anybody's text: it stands in letters
 * that need no quotes, and as it is in the form of RFC 8187 beside.
 */
export function disposition({ name, format, start_day, end_day, created_at }: File): string {
  const days = start_day === null ? created_at.toISOString().slice(0, 10) : start_day === end_day ? start_day : `${start_day}-to-${end_day}`
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
  const whole = `${name.replaceAll(/[\\/:*?"<>|]+/g, ' ').trim()} ${days}.${format}`
  const encoded = encodeURIComponent(whole).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain || 'report'}-${days}.${format}"; filename*=UTF-8''${encoded}`
}
