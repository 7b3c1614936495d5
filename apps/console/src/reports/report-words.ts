import type { Every, Report, ReportFormat, ReportSchedule } from '@masthead/contract/reports/report'
import { reportKinds } from '@masthead/contract/reports/report'
import { formatDay } from '@masthead/contract/kernel/time'
import type { Status } from '../ui/status.ts'

export const formatNames: Record<ReportFormat, string> = { csv: 'CSV', json: 'JSON', xlsx: 'XLSX' }
export const everyWords: Record<Every, string> = { day: 'Each day', week: 'Each Monday', month: 'On the first of each month' }

const looks: Record<Report['state'], { status: Status; label: string }> = {
  pending: { status: 'pending', label: 'Waiting' },
  running: { status: 'busy', label: 'Running' },
  complete: { status: 'done', label: 'Ready' },
  failed: { status: 'failed', label: 'Failed' },
  cancelled: { status: 'none', label: 'Cancelled' },
  expired: { status: 'none', label: 'Expired' },
}
export const reportLook = ({ state }: Pick<Report, 'state'>) => looks[state]

export const rowsWords = (rows: number) => (rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`)

/** What there is to say of its state, in a few words. */
export function stateWords({ state, share, rows, before, failure, expires_at }: Report): string | null {
  const made = rowsWords(rows)
  if (state === 'pending') return before ? `${before} before it` : 'It is next'
  if (state === 'running') return share === null ? made : `${Math.floor(share * 100)} %, ${made}`
  if (state === 'complete' && expires_at) return `until ${formatDay(expires_at)}`
  if (state === 'expired') return 'File deleted'
  return failure
}

export const kindWords = ({ kind, format }: Pick<Report, 'kind' | 'format'>) => `${reportKinds[kind].label}, ${formatNames[format]}`

export function periodWords({ start, end, created_at }: Pick<Report, 'start' | 'end' | 'created_at'>): string {
  if (!start || !end) return formatDay(created_at)
  return start === end ? formatDay(start) : `${formatDay(start)} to ${formatDay(end)}`
}

export const scheduleLooks: Record<ReportSchedule['state'], { status: Status; label: string }> = {
  active: { status: 'active', label: 'Active' },
  paused: { status: 'standby', label: 'Paused' },
  stopped: { status: 'failed', label: 'Stopped' },
}
