import type { StaffLogEntry } from '@masthead/contract/backoffice/staff-log-operations'
import { MomentTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { CellLink } from '../kit/CellLink.tsx'

/** Columns of the audit log; the sentence opens the whole of an entry. */
export const logColumns = (onOpen: (id: string) => void): Column<StaffLogEntry>[] => [
  { id: 'at', header: 'Time', width: 150, list: 'aside', cell: ({ at }) => <MomentTime at={at} /> },
  {
    id: 'what',
    header: 'Action',
    fixed: true,
    list: 'title',
    shape: 'two',
    // In full: what is cut off is what one looks for here.
    cell: ({ id, sentence, reason }) => (
      <span className="grid justify-items-start wrap-anywhere whitespace-normal @min-[641px]/table:py-1.5">
        <button type="button" className="text-left font-medium hover:underline" onClick={() => onOpen(id)}>
          {sentence}
        </button>
        {reason && <span className="text-xs text-fg-3">{reason}</span>}
      </span>
    ),
  },
  {
    id: 'staff',
    header: 'Performed by',
    width: 190,
    list: 'below',
    shape: 'two',
    cell: ({ staff, ip }) => <TwoLines first={staff} second={ip} />,
  },
  {
    id: 'account',
    header: 'Account',
    width: 190,
    drop: 2,
    cell: ({ account }) =>
      account ? <TwoLines first={<CellLink to={`/masa/accounts/${encodeURIComponent(account)}`}>{account}</CellLink>} /> : '—',
  },
  {
    id: 'target',
    header: 'Target',
    width: 160,
    drop: 1,
    cell: ({ target }) => <span className="wrap-anywhere whitespace-normal">{target ?? '—'}</span>,
  },
  {
    id: 'result',
    header: 'Result',
    width: 110,
    drop: 3,
    list: 'below',
    cell: ({ result }) => (result === 'ok' ? <StatusDot status="done" /> : <StatusDot status="failed" label="Refused" />),
  },
]
