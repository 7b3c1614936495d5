import type { StaffLogEntry } from '@masthead/contract/backoffice/staff-log-operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { Link } from 'react-router'
import { queries } from '../api/query.ts'
import { CopyText } from '../ui/CopyText.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { PlainTable, type Column } from '../ui/Table.tsx'

/** The entry that a list has shown: it is never asked for again, since nothing of it can change. */
function findShown(id: string): StaffLogEntry | undefined {
  for (const [, page] of queries.getQueriesData<{ items?: StaffLogEntry[] }>({ queryKey: ['backoffice', 'backoffice.listStaffLog'] })) {
    const found = page?.items?.find((entry) => entry.id === id)
    if (found) return found
  }
  return undefined
}

/** All of an entry of the audit log: who, why, from where, and how it was before and after. */
export function LogEntrySheet({ id, onClose }: { id: string | null; onClose: () => void }) {
  const entry = id === null ? undefined : findShown(id)
  if (!entry) return null
  const changes = changesOf(entry)
  return (
    <Sheet open onClose={onClose} title={entry.sentence} note={formatExactHere(entry.at)} wide>
      {entry.failure && <Notice tone="bad">Refused: {entry.failure}</Notice>}
      <Facts>
        <Fact label="Performed by">{entry.staff}</Fact>
        <Fact label="Reason">{entry.reason ?? '—'}</Fact>
        <Fact label="Account">
          {entry.account ? (
            <Link className="link" to={`/masa/accounts/${encodeURIComponent(entry.account)}`}>
              {entry.account}
            </Link>
          ) : (
            '—'
          )}
        </Fact>
        {entry.asset_id && (
          <Fact label="Asset">
            <Link className="link" to={`/masa/assets/${entry.asset_id}`}>
              {entry.target ?? entry.asset_id}
            </Link>
          </Fact>
        )}
        <Fact label="Target">{entry.target ?? '—'}</Fact>
        <Fact label="Action">
          <span className="mono">{entry.action}</span>
        </Fact>
        <Fact label="IP address">
          <CopyText text={entry.ip} label="address" />
        </Fact>
        <Fact label="Request">
          <CopyText text={entry.request_id} label="request" />
        </Fact>
      </Facts>
      {changes.length > 0 && <PlainTable label="Before and after" columns={columns} rows={changes} rowId={(row) => row.field} />}
      <JsonView label="Detail" value={entry.detail as never} />
    </Sheet>
  )
}

type Change = { field: string; before: string; after: string }

const words = (value: unknown) =>
  value === undefined || value === null ? '—' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** What differs between before and after, by field. */
export function changesOf({ before, after }: Pick<StaffLogEntry, 'before' | 'after'>): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .map((field) => ({ field, before: words(before?.[field]), after: words(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

const columns: Column<Change>[] = [
  { id: 'field', header: 'Field', width: 150, list: 'title', cell: ({ field }) => <span className="mono">{field}</span> },
  {
    id: 'before',
    header: 'Before',
    list: 'below',
    cell: ({ before }) => <span className="wrap-anywhere whitespace-normal">{before}</span>,
  },
  { id: 'after', header: 'After', list: 'below', cell: ({ after }) => <span className="wrap-anywhere whitespace-normal">{after}</span> },
]
