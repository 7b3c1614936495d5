import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { clock, findIn, type Recorded } from './cast.ts'

const mostMarkers = 200

/** Finds in what was shown and typed, and leads to what happened. */
export function ReplaySide({ recorded, at, onGo }: { recorded: Recorded; at: number; onGo: (s: number) => void }) {
  const [wanted, setWanted] = useState('')
  const [hit, setHit] = useState(0)
  const hits = findIn(recorded, wanted)
  const markers = recorded.events.filter(({ kind }) => kind === 'm' || kind === 'r').slice(0, mostMarkers)
  const go = (by: number) => {
    if (hits.length === 0) return
    const next = (hit + by + hits.length) % hits.length
    setHit(next)
    onGo(recorded.events[hits[next]!]!.at)
  }
  return (
    <aside className="terminal-side max-side:hidden" aria-label="Find and markers">
      <div className="grid gap-2 border-b border-line p-3">
        <SearchField
          label="Find in the recording"
          placeholder="Find in the recording"
          value={wanted}
          onChange={(text) => {
            setWanted(text)
            setHit(-1)
          }}
        />
        <div className="flex items-center gap-1 text-xs text-fg-3">
          <span role="status">
            {wanted === ''
              ? 'In what was shown and typed'
              : `${hits.length === 0 ? 'No' : `${Math.max(0, hit) + 1} of ${hits.length}`} matches`}
          </span>
          <span className="ml-auto flex">
            <IconButton label="Previous match" icon={ChevronUp} size="small" onClick={() => go(-1)} />
            <IconButton label="Next match" icon={ChevronDown} size="small" onClick={() => go(1)} />
          </span>
        </div>
      </div>
      <h2 className="border-b border-line px-4 py-2.5 text-sm font-semibold">Markers</h2>
      <ul className="divide-y divide-line">
        {[{ at: 0, kind: 'm' as const, data: 'Session starts' }, ...markers].map((one, index) => (
          <li key={index}>
            <button
              type="button"
              className="flex w-full gap-3 px-4 py-2 text-left hover:bg-hover aria-current:bg-selected"
              aria-current={Math.abs(one.at - at) < 0.05 || undefined}
              onClick={() => onGo(one.at)}
            >
              <span className="mono text-xs text-fg-3">{clock(one.at)}</span>
              <span>{one.kind === 'r' ? `Window of ${one.data.replace('x', ' × ')}` : one.data}</span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  )
}
