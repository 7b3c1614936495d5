import { dayOf } from '@masthead/contract/kernel/time'
import { exportStaffLog, listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { staffActions } from '@masthead/contract/backoffice/staff-actions'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { urlOf } from '../api/client.ts'
import { download } from '../kit/download.ts'
import { useClock } from '../kit/clock.ts'
import { DayRange } from '../kit/DayRange.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Button } from '../ui/Button.tsx'
import { isDay } from '../ui/calendar.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { TextField } from '../ui/TextField.tsx'
import { logColumns } from './log-columns.tsx'
import { LogEntrySheet } from './LogEntrySheet.tsx'
import { BackofficeEnd } from './StayMark.tsx'

/** "account_suspended" as people say it. */
const actionWords = (name: string) => {
  const words = name.split('.')[1]!.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}
const filters: Filter[] = [
  {
    key: 'action',
    label: 'Action',
    multiple: true,
    options: [...staffActions.keys()].map((value) => ({ value, label: actionWords(value) })),
  },
  {
    key: 'result',
    label: 'Result',
    options: [
      { value: 'ok', label: 'Done' },
      { value: 'refused', label: 'Refused' },
    ],
  },
]
// Of the list as well: another question begins at its first page.
const defaults = { staff: '', account: '', from: '', to: '', page: 1, after: '' }
const dayInMs = 86_400_000
const startOf = (day: string, plus = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + plus * dayInMs).toISOString()

/** Everything staff did, looked at, and were refused. */
export default function LogsScreen() {
  const [open, setOpen] = useState<string | null>(null)
  const [address, change] = useAddressState(defaults)
  const { staff, account, from, to } = address
  const today = useClock(dayOf)
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  const refine = (patch: Partial<typeof address>) => change({ ...patch, page: 1, after: '' })
  const query = {
    ...(staff && { staff }),
    ...(account && { account }),
    ...(isDay(first) && { start: startOf(first) }),
    ...(isDay(last) && { end: startOf(last, 1) }),
  }
  const columns = useMemo(() => logColumns(setOpen), [])
  return (
    <>
      <BackofficeEnd />
      <div className="flex flex-wrap items-end gap-2 pb-3">
        <Who label="Staff" value={staff} onChange={(value) => refine({ staff: value })} />
        <Who label="Account" value={account} onChange={(value) => refine({ account: value })} />
        <DayRange from={from} to={to} today={today} onChange={refine} />
        {staff && <FilterChip label="Staff" verb="is" value={staff} onRemove={() => refine({ staff: '' })} />}
        {account && <FilterChip label="Account" verb="is" value={account} onRemove={() => refine({ account: '' })} />}
      </div>
      <QueryTable
        operation={listStaffLog}
        input={{ query }}
        label="Audit log"
        columns={columns}
        rowId={(entry) => entry.id}
        filters={filters}
        remember="masa-logs"
        actions={<Export query={query} />}
        live
        empty={
          staff || account || from || to ? (
            <EmptyState
              title="No data found"
              actions={<Button onClick={() => refine({ staff: '', account: '', from: '', to: '' })}>Clear filters</Button>}
            >
              Nothing was logged {staff && `of ${staff} `}
              {account && `on the account of ${account} `}
              {(from || to) && 'on these days'}.
            </EmptyState>
          ) : (
            <EmptyState title="No data found">What staff view, change and are refused is listed here.</EmptyState>
          )
        }
      />
      <LogEntrySheet id={open} onClose={() => setOpen(null)} />
    </>
  )
}

/** An e-mail to filter by, taken on Enter or when it is left. */
function Who({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState('')
  const take = () => {
    if (text.trim() !== '') onChange(text.trim())
    setText('')
  }
  return (
    <TextField
      className="min-w-36 flex-1 @sm:max-w-52"
      label={`${label} by e-mail`}
      hideLabel
      placeholder={`${label}: e-mail`}
      value={text}
      disabled={value !== ''}
      onChange={({ target }) => setText(target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}

/** What is listed, as a file. */
function Export({ query }: { query: Record<string, string> }) {
  const [params] = useSearchParams()
  const [loading, setLoading] = useState(false)
  const start = async () => {
    setLoading(true)
    const chosen = { ...query, action: params.getAll('action'), result: params.get('result') }
    await download(urlOf(exportStaffLog, { query: chosen } as never), 'backoffice-logs.csv')
    setLoading(false)
  }
  return (
    <Button color="ghost" icon={Download} loading={loading} onClick={() => void start()}>
      Export
    </Button>
  )
}
