import { alertSources, alertStates, severities, type Alert, type AlertState, type Severity } from '@masthead/contract/notifications/alert'
import { BesideLink } from '../kit/BesideLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { cx } from '../ui/cx.ts'
import type { Shape, Tone } from '../ui/StateShape.tsx'
import type { Column } from '../ui/Table.tsx'

const severityLook: Record<Severity, { tone: Tone; shape: Shape }> = {
  info: { tone: 'info', shape: 'diamond' },
  warn: { tone: 'warn', shape: 'triangle' },
  critical: { tone: 'bad', shape: 'octagon' },
}
const stateLook: Record<AlertState, { tone: Tone; shape: Shape }> = {
  open: { tone: 'idle', shape: 'dashed' },
  acknowledged: { tone: 'hold', shape: 'half' },
  resolved: { tone: 'ok', shape: 'done' },
}

export const SeverityBadge = ({ severity }: { severity: Severity }) => <Badge {...severityLook[severity]}>{severities[severity]}</Badge>
export const StateBadge = ({ state }: { state: AlertState }) => <Badge {...stateLook[state]}>{alertStates[state]}</Badge>

export const acknowledgedWords = (count: number) =>
  count === 1 ? 'Acknowledged 1 alert' : `Acknowledged ${count.toLocaleString('en')} alerts`

/** "3 times" where it happened more than once. */
export const timesWords = (count: number) => (count > 1 ? `${count.toLocaleString('en')} times` : '')

export const alertColumns: Column<Alert>[] = [
  {
    id: 'severity',
    header: 'Severity',
    width: 104,
    fixed: true,
    list: 'aside',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    id: 'title',
    header: 'Alert',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ id, title, words, read }) => (
      <span className="grid min-w-0">
        <span className={cx('truncate', read ? 'text-fg-2' : 'font-semibold')} title={title}>
          <BesideLink name="alert" value={id}>
            {!read && <span className="sr-only">Unread: </span>}
            {title}
          </BesideLink>
        </span>
        <span className="truncate text-xs text-fg-3" title={words}>
          {words}
        </span>
      </span>
    ),
  },
  { id: 'source', header: 'Source', width: 124, drop: 1, cell: ({ source }) => alertSources[source] },
  { id: 'state', header: 'State', width: 128, drop: 3, list: 'below', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'last_at',
    header: 'Last',
    width: 104,
    numeric: true,
    drop: 2,
    list: 'below',
    shape: 'two',
    cell: ({ last_at, count }) => (
      <span className="grid">
        <RelativeTime at={last_at} />
        {count > 1 && <span className="text-xs text-fg-3">{timesWords(count)}</span>}
      </span>
    ),
  },
]
