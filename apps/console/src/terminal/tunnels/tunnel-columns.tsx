import { tunnelEnds, type Tunnel } from '@masthead/contract/terminal/tunnel'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { CellLink } from '../../kit/CellLink.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import type { Status } from '../../ui/status.ts'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { addressWords } from './address-words.ts'

const anywhere = /^(0\.0\.0\.0|::)\/0$/
const isPublic = ({ state, sources }: Tunnel) => state !== 'ended' && sources.some((range) => anywhere.test(range))

function lookOf(tunnel: Tunnel): { status: Status; label: string } {
  if (tunnel.state === 'ended') return { status: 'none', label: 'Ended' }
  if (tunnel.no_port) return { status: 'warning', label: 'No port is free' }
  if (isPublic(tunnel)) return { status: 'warning', label: 'Open to everybody' }
  return tunnel.state === 'open' ? { status: 'live', label: 'Open' } : { status: 'pending', label: 'Waiting' }
}

function wordsOf({ state, no_port, end_reason, ended_by, connections_now, refused }: Tunnel): string {
  if (state === 'ended') return `${end_reason ? tunnelEnds[end_reason] : ''}${ended_by ? ` by ${ended_by}` : ''}`
  if (no_port)
    return `${state === 'open' ? 'Reached by its name alone: all' : 'All'} ports of this server for tunnels are in use; it is tried again each minute`
  if (state === 'waiting') return 'for the device; it opens by itself'
  const now = `${connections_now} connection${connections_now === 1 ? '' : 's'} now`
  return refused > 0 ? `${now}, ${refused} refused` : now
}

export const tunnelColumns: Column<Tunnel>[] = [
  {
    id: 'device',
    header: 'Device, port',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ asset_id, asset_name, address, port, tls }) => (
      <TwoLines
        first={<CellLink to={`/assets/${asset_id}/device`}>{asset_name}</CellLink>}
        second={
          <span className="mono truncate">
            {address ?? 'localhost'}:{port}
            {tls && ' (HTTPS)'}
          </span>
        }
      />
    ),
  },
  {
    id: 'reached',
    header: 'Reached at, from',
    width: 260,
    list: 'below',
    shape: 'two',
    cell: (tunnel) => {
      const { reached_at, encrypted, sources } = tunnel
      const address = addressWords(tunnel)
      return (
        <TwoLines
          first={address ? <CopyText text={address} label="address" max={32} /> : '—'}
          second={
            <span className="truncate" title={sources.join(', ')}>
              {encrypted && reached_at !== null && 'by TLS, '}from {sources.join(', ')}
            </span>
          }
        />
      )
    },
  },
  {
    id: 'state',
    header: 'State',
    width: 215,
    list: 'aside',
    shape: 'two',
    cell: (tunnel) => (
      <TwoLines
        className="long-aside"
        first={<StatusDot {...lookOf(tunnel)} />}
        second={<span className="whitespace-normal">{wordsOf(tunnel)}</span>}
      />
    ),
  },
  {
    id: 'data',
    header: 'Data',
    width: 110,
    numeric: true,
    shape: 'two',
    drop: 1,
    cell: ({ bytes_in, bytes_out, connections }) => <TwoLines first={formatBytes(bytes_in + bytes_out)} second={`${connections} in all`} />,
  },
  {
    id: 'ends',
    header: 'Ends',
    width: 130,
    shape: 'two',
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ until, ended_at, opened_by }) => (
      <TwoLines first={<RelativeTime at={ended_at ?? until} />} second={<span className="truncate">{opened_by}</span>} />
    ),
  },
]
