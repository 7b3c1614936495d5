import { Download, Pause, Play, RotateCw } from 'lucide-react'
import { Link } from 'react-router'
import { getTerminal, exportRecording } from '@masthead/contract/terminal/operations'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { urlOf } from '../api/client.ts'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { download } from '../kit/download.ts'
import { Button } from '../ui/Button.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Slider } from '../ui/Slider.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { clock } from './cast.ts'
import { ReplaySide } from './ReplaySide.tsx'
import { speeds, usePlayer } from './use-player.ts'
import { useRecording } from './use-recording.ts'
import './terminal.css'

/** A recording: played at a speed, searched, and kept as a file. */
export function Replay({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null)
  const { data: session } = useQuery(q(getTerminal, { params: { terminal_id: id } }))
  const { recorded, problem, tooLarge } = useRecording(id)
  const player = usePlayer(place, recorded)
  const [file] = useState(() => urlOf(exportRecording, { params: { terminal_id: id } }))
  useEffect(() => {
    document.title = `Recording · ${session?.asset_name ?? ''}`
  }, [session])
  return (
    <main id="main" className="terminal-window">
      <header className="terminal-bar">
        <Link to={session ? `/assets/${session.asset_id}/device` : '/assets'} aria-label="Back to the asset" className="flex-none">
          <Mark />
        </Link>
        <h1 className="min-w-0 truncate text-sm font-semibold">{session?.asset_name ?? 'Recording'}</h1>
        {session?.opened_at && (
          <span className="text-xs text-fg-2">
            Recording of {session.opened_by}, {new Date(session.opened_at).toLocaleString()}
          </span>
        )}
        <span className="ml-auto flex gap-1">
          <ActionButton
            operation={exportRecording}
            size="small"
            icon={Download}
            color="ghost"
            onClick={() => void download(file, `${id}.cast`)}
          >
            Download
          </ActionButton>
        </span>
      </header>
      <div className="terminal-body">
        <div className="terminal-screen" role="region" aria-label="Recording">
          <div ref={place} className="terminal-place" />
          {(problem || !recorded) && (
            <div className="terminal-over">
              <section className="terminal-card px-5 py-4" role={problem ? 'alert' : 'status'}>
                {problem ? <FailureWords of={problem} /> : 'The recording is being loaded.'}
                {problem && !tooLarge && (
                  <div className="mt-3">
                    <Button icon={RotateCw} onClick={() => location.reload()}>
                      Try again
                    </Button>
                  </div>
                )}
              </section>
            </div>
          )}
        </div>
        {recorded && <ReplaySide recorded={recorded} at={player.at} onGo={player.go} />}
      </div>
      {recorded && (
        <div className="grid gap-1 border-t border-line bg-chrome px-4 py-2">
          <Slider label="Position" value={player.at} max={Math.max(1, recorded.length)} step={0.1} format={clock} onChange={player.go} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button icon={player.playing ? Pause : Play} onClick={player.toggle}>
              {player.playing ? 'Pause' : 'Play'}
            </Button>
            <span className="font-medium tabular-nums">
              {clock(player.at)} <span className="text-fg-3">of {clock(recorded.length)}</span>
            </span>
            <Segmented
              label="Speed"
              value={player.speed}
              options={speeds.map((value) => ({ value, label: `${value}×` }))}
              onChange={player.setSpeed}
            />
            <Checkbox checked={player.skips} onChange={({ target }) => player.setSkips(target.checked)}>
              Skip idle
            </Checkbox>
          </div>
        </div>
      )}
    </main>
  )
}
