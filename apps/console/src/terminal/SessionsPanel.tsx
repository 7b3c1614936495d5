import { useQuery } from '@tanstack/react-query'
import { endTerminal, exportRecording, listTerminals } from '@masthead/contract/terminal/operations'
import { endReasons, type TerminalSession } from '@masthead/contract/terminal/session'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { later } from '../kit/later.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Panel } from '../ui/Panel.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'

const EndSession = later(() => import('./sessions/EndSession.tsx').then((file) => file.EndSession))

/** Terminal sessions of an asset: those that are open can be watched and ended, of the others there are recordings. */
export function SessionsPanel({ asset_id }: { asset_id: string }) {
  const denied = useDenied()(listTerminals)
  const query = { asset: asset_id, page_size: 10 }
  // One comes back here from a terminal, whose window gets no changes.
  const { data, error } = useQuery({ ...q(listTerminals, { query }), enabled: denied === null, staleTime: 0 })
  const [ending, setEnding] = useState<TerminalSession | null>(null)
  if (denied !== null) return null
  return (
    <Panel flush title="Terminal sessions" note={data && data.total > 10 ? `the newest 10 of ${data.total}` : undefined}>
      {error && !data && (
        <p className="px-4 py-3 text-bad-fg">
          The sessions could not be loaded. <FailureWords of={error} />
        </p>
      )}
      {data?.items.length === 0 && <p className="px-4 py-3 text-fg-3">No terminal was opened on this device.</p>}
      <ul className="divide-y divide-line" aria-label="Terminal sessions">
        {data?.items.map((session) => (
          <SessionLine key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {ending && <EndSession session={ending} onClose={() => setEnding(null)} />}
    </Panel>
  )
}

function SessionLine({ session, onEnd }: { session: TerminalSession; onEnd: () => void }) {
  const { id, state, opened_by, opened_at, requested_at, ended_at, end_reason, recording } = session
  const denied = useDenied()(exportRecording)
  const s = opened_at && ended_at ? Math.round((Date.parse(ended_at) - Date.parse(opened_at)) / 1000) : null
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <StatusDot
        status={state === 'ended' ? 'none' : state === 'open' ? 'live' : 'busy'}
        label={state === 'ended' ? 'Ended' : state === 'open' ? 'Open' : 'Connecting'}
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{opened_by}</span>
        <span className="text-xs text-fg-3">
          <RelativeTime at={requested_at} />
          {s !== null && `, ${s < 60 ? `${s} s` : `${Math.round(s / 60)} min`}`}
          {end_reason && `. ${endReasons[end_reason]}`}
        </span>
      </span>
      {state === 'open' && (
        <LinkButton as={Link} to={`/terminal?session=${id}`} size="small">
          Watch
        </LinkButton>
      )}
      {state !== 'ended' && (
        <ActionButton operation={endTerminal} size="small" color="danger-quiet" onClick={onEnd}>
          End
        </ActionButton>
      )}
      {state === 'ended' && (
        <LinkButton
          as={Link}
          to={`/terminal?recording=${id}`}
          size="small"
          disabled={
            recording === 'kept'
              ? denied
              : recording === 'deleted'
                ? 'The recording was deleted when its time was over'
                : 'It has no recording'
          }
        >
          Play
        </LinkButton>
      )}
    </li>
  )
}
