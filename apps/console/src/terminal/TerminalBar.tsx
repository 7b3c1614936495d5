import { FileUp, Minus, Plus, Search, Users } from 'lucide-react'
import { Link } from 'react-router'
import { filesAccess } from '@masthead/contract/terminal/file'
import { endTerminal } from '@masthead/contract/terminal/operations'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { useNow } from './use-now.ts'
import { IconButton } from '../ui/Button.tsx'
import { Mark } from '../ui/Mark.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import type { Status } from '../ui/status.ts'
import { opening, wayBack } from './source.ts'
import type { Phase, TerminalStanding } from './use-terminal.ts'

const phases: Record<Phase, { status: Status; label: string }> = {
  asking: { status: 'busy', label: 'Connecting' },
  connecting: { status: 'busy', label: 'Connecting' },
  open: { status: 'online', label: 'Connected' },
  reconnecting: { status: 'warning', label: 'Reconnecting' },
  device_away: { status: 'warning', label: 'Reconnecting' },
  failed: { status: 'failed', label: 'Not connected' },
  ended: { status: 'none', label: 'Ended' },
}

/** Nothing failed yet: the code of the device is typed first. */
const asking: { status: Status; label: string } = { status: 'pending', label: 'Waits for the code' }

type Props = {
  standing: TerminalStanding
  asset: string | null
  support: string | null
  types: boolean
  font: number
  onFont: (by: number) => void
  onFind: () => void
  /** Files that are on their way. */
  files: number
  onFiles: () => void
  onSide: () => void
  onEnd: () => void
}

/** What the terminal is of, how it is, how long it still may be, and its few tools. */
export function TerminalBar({ standing, asset, support, types, font, onFont, onFind, files, onFiles, onSide, onEnd }: Props) {
  const { phase, session, people, endsAt, asksCode } = standing
  const denied = useDenied()
  const back = wayBack(support, session, asset)
  const live = phase === 'open' || phase === 'reconnecting' || phase === 'device_away'
  return (
    <header className="terminal-bar">
      <Link to={back.to} aria-label={back.label} className="flex-none">
        <Mark />
      </Link>
      <h1 className="min-w-0 truncate text-sm font-semibold">{session?.asset_name ?? 'Terminal'}</h1>
      <StatusDot {...(phase === 'failed' && asksCode ? asking : phases[phase])} />
      {live && (
        <span className="terminal-recording" title="Everything that is shown and typed is recorded">
          <i aria-hidden /> Recording
        </span>
      )}
      <div className="ml-auto flex flex-none items-center gap-1">
        {live && <Left endsAt={endsAt} />}
        {live && <IconButton label="Find" icon={Search} size="small" onClick={onFind} />}
        {live && (
          <IconButton
            label={files === 0 ? 'Files' : `Files, ${files} on their way`}
            icon={FileUp}
            size="small"
            disabled={session?.kind === 'core' ? 'A CORE device takes no files' : support ? null : denied(filesAccess)}
            onClick={onFiles}
          />
        )}
        {live && (
          <IconButton
            label={`${people.length === 1 ? '1 takes' : `${people.length} take`} part`}
            icon={Users}
            size="small"
            onClick={onSide}
          />
        )}
        <span className="flex items-center max-side:hidden">
          <IconButton label="Smaller type" icon={Minus} size="small" onClick={() => onFont(-1)} />
          <span className="text-xs text-fg-2">{font}</span>
          <IconButton label="Larger type" icon={Plus} size="small" onClick={() => onFont(1)} />
        </span>
        {live && (
          <ActionButton
            operation={support === null ? endTerminal : opening(support)}
            color="danger-quiet"
            size="small"
            disabled={types ? null : 'Whoever types ends it, or you in the list of sessions'}
            onClick={onEnd}
          >
            End
          </ActionButton>
        )}
      </div>
    </header>
  )
}

function Left({ endsAt }: { endsAt: number }) {
  const s = Math.max(0, Math.round((endsAt - useNow()) / 1000))
  return (
    <span className="pr-2 text-xs text-fg-2 tabular-nums max-side:hidden" title="It ends then, or after 10 minutes without a key">
      <b className="font-semibold text-fg">
        {Math.floor(s / 60)}:{String(s % 60).padStart(2, '0')}
      </b>{' '}
      left
    </span>
  )
}
