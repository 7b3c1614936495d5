import { connectionResults, type ConnectionResult, type Tunnel, type TunnelConnection } from '@masthead/contract/terminal/tunnel'
import { listTunnelConnections } from '@masthead/contract/terminal/tunnel-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { lastedWords } from '../../kit/lasted-words.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import type { Status } from '../../ui/status.ts'
import { TwoLines, type Column } from '../../ui/Table.tsx'

const looks: Record<ConnectionResult, Status> = {
  open: 'live',
  closed: 'none',
  source: 'failed',
  too_many: 'failed',
  device: 'failed',
  cut: 'warning',
}

const columns: Column<TunnelConnection>[] = [
  {
    id: 'from',
    header: 'From',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ from, at }) => <TwoLines first={<span className="mono truncate">{from}</span>} second={<RelativeTime at={at} />} />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 260,
    list: 'aside',
    shape: 'two',
    cell: ({ result, words, at, ended_at }) => (
      <TwoLines
        first={<StatusDot status={looks[result]} label={connectionResults[result]} />}
        second={
          <span className="truncate" title={words ?? undefined}>
            {words ?? (result === 'closed' || result === 'cut' ? lastedWords(at, ended_at) : null)}
          </span>
        }
      />
    ),
  },
  {
    id: 'data',
    header: 'Data',
    width: 100,
    numeric: true,
    list: 'below',
    cell: ({ bytes_in, bytes_out }) => formatBytes(bytes_in + bytes_out),
  },
]

/** Each connection of a tunnel, and each that was refused. */
export function ConnectionsSheet({ tunnel, onClose }: { tunnel: Tunnel; onClose: () => void }) {
  return (
    <Sheet open onClose={onClose} title={`Connections to port ${tunnel.port} of ${tunnel.asset_name}`}>
      <QueryTable
        operation={listTunnelConnections}
        input={{ params: { tunnel_id: tunnel.id } }}
        label="Connections"
        columns={columns}
        rowId={({ id }) => id}
        prefix="c-"
        again={() => (tunnel.state === 'ended' ? false : 3000)}
        empty={<EmptyState title="No data found">Nobody has connected yet.</EmptyState>}
      />
    </Sheet>
  )
}
