import type { StaffLogEntry } from '@masthead/contract/backoffice/staff-log-operations'
import { Link } from 'react-router'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StateShape } from '../ui/StateShape.tsx'

/** Lines of the staff log under each other: what, on whose account, by whom, why. */
export function LogLines({ entries }: { entries: readonly StaffLogEntry[] }) {
  if (entries.length === 0) return <p className="p-4 text-fg-2">Nothing yet.</p>
  return (
    <ul className="divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.id} className="grid grid-cols-[12px_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-2">
          <StateShape shape={entry.result === 'ok' ? 'done' : 'octagon'} tone={entry.result === 'ok' ? 'idle' : 'bad'} className="mt-1" />
          <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
            <span className="wrap-anywhere">{entry.sentence}</span>
            <span className="flex flex-wrap gap-x-2 text-xs text-fg-3">
              <span className="max-w-full truncate">{entry.staff}</span>
              {entry.account && (
                <Link className="link max-w-full truncate" to={`/masa/accounts/${encodeURIComponent(entry.account)}`}>
                  {entry.account}
                </Link>
              )}
              {entry.failure && <span className="text-bad-fg wrap-anywhere">{entry.failure}</span>}
            </span>
          </span>
          <span className="text-xs text-fg-2">
            <RelativeTime at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
