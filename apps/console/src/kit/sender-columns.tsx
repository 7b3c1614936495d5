import { StatusDot } from '../ui/StatusDot.tsx'
import type { Column } from '../ui/Table.tsx'
import { RelativeTime } from './RelativeTime.tsx'

const looks = {
  hearing: { status: 'online', label: 'Reporting' },
  silent: { status: 'silent', label: 'Silent' },
  never: { status: 'never_seen', label: 'Never seen' },
  disabled: { status: 'inactive', label: 'Off' },
} as const

/** What reports usage: a gateway or a feed. */
type Sender = { state: keyof typeof looks; heard_at: string | null }

/** Whether a sender reports. */
export const senderState: Column<Sender> = {
  id: 'state',
  header: 'State',
  width: 130,
  list: 'aside',
  cell: ({ state }) => <StatusDot {...looks[state]} />,
}

/** When a sender was seen last. */
export const senderSeen: Column<Sender> = {
  id: 'seen',
  header: 'Last seen',
  width: 120,
  numeric: true,
  list: 'below',
  listHead: true,
  cell: ({ heard_at }) => (heard_at ? <RelativeTime at={heard_at} /> : <span className="not-in-list text-fg-3">—</span>),
}
