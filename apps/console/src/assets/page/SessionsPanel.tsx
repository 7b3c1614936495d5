import type { Asset } from '@masthead/contract/assets/asset'
import { listAssetSessions } from '@masthead/contract/assets/operations'
import type { DataSession } from '@masthead/contract/assets/sim'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { Network } from 'lucide-react'
import { useClock } from '../../kit/clock.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { disconnectWords, networkWords, sessionLength } from '../session-words.ts'

/** Data sessions, newest first. */
export const SessionsPanel = ({ asset }: { asset: Asset }) => (
  <Panel flush title="Sessions">
    <QueryTable
      operation={listAssetSessions}
      input={{ params: { asset_id: asset.id } }}
      label="Sessions"
      columns={columns}
      rowId={(session) => session.id}
      prefix="sessions_"
      plain
      empty={
        <EmptyState icon={Network} title="No data found">
          A session begins when the device connects. Each is listed here with its network and its bytes.
        </EmptyState>
      }
    />
  </Panel>
)

function StartedCell({ session }: { session: DataSession }) {
  const length = useClock((now) => sessionLength(session, now))
  return (
    <TwoLines
      first={<RelativeTime at={session.started_at} />}
      second={
        <>
          {session.ended_at ? 'ran' : 'for'} {length}
          <span className="only-list">, {formatSteadyBytes(session.bytes_down + session.bytes_up)}</span>
        </>
      }
    />
  )
}

/** How it ended, in the words of the gateway; below, what became of our own request to end it. */
function EndCell({ session }: { session: DataSession }) {
  const { ended_at, end_cause, silent, disconnect } = session
  const cut = disconnect && disconnectWords(disconnect)
  return (
    <TwoLines
      first={ended_at ? (end_cause ?? 'Not reported') : <StatusDot status={silent ? 'silent' : 'live'} />}
      second={cut ? <span title={cut.words}>{cut.short}</span> : ended_at ? <RelativeTime at={ended_at} /> : null}
    />
  )
}

function NetworkCell({ session }: { session: DataSession }) {
  return (
    <TwoLines
      first={networkWords(session) ?? <span className="text-fg-3">—</span>}
      second={session.ip && <CopyText text={session.ip} label="IP address" />}
    />
  )
}

const columns: Column<DataSession>[] = [
  { id: 'started', header: 'Started', width: 132, list: 'title', shape: 'two', cell: (session) => <StartedCell session={session} /> },
  { id: 'network', header: 'Network', list: 'aside', shape: 'two', cell: (session) => <NetworkCell session={session} /> },
  { id: 'down', header: 'Download', width: 92, numeric: true, cell: ({ bytes_down }) => formatSteadyBytes(bytes_down) },
  { id: 'up', header: 'Upload', width: 92, numeric: true, cell: ({ bytes_up }) => formatSteadyBytes(bytes_up) },
  { id: 'end', header: 'Ended', width: 172, list: 'below', shape: 'two', cell: (session) => <EndCell session={session} /> },
]
