import { formatBytes } from '@masthead/contract/usage/bytes'
import { X } from 'lucide-react'
import { IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import type { FileLine } from './use-files.ts'

const shapes = {
  going: { shape: 'busy', tone: 'info' },
  waiting: { shape: 'broken', tone: 'warn' },
  done: { shape: 'done', tone: 'ok' },
  over: { shape: 'octagon', tone: 'bad' },
} as const

/** One file: how far it is, and what became of it. */
export function FileRow({ line, onCancel }: { line: FileLine; onCancel: () => void }) {
  const { way, phase, name, path, at, of, words, sha256 } = line
  const moves = phase === 'going' || phase === 'waiting'
  return (
    <li className="grid gap-1.5 rounded-md border border-line px-3 py-2.5">
      <div className="flex items-center gap-2">
        <StateShape {...shapes[phase]} />
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
        {moves && <IconButton label={`Cancel ${name}`} icon={X} size="small" className="-my-1 -mr-1.5" onClick={onCancel} />}
      </div>
      {moves && <ProgressBar label={`${name}, ${way === 'up' ? 'sent' : 'fetched'}`} value={of ? at / of : 0} tone="info" />}
      <p className={phase === 'over' ? 'text-sm text-bad-fg wrap-anywhere' : 'text-sm text-fg-2 wrap-anywhere'} role="status">
        {phase === 'over' && `${words}.`}
        {phase === 'done' && `${way === 'up' ? 'Sent to' : 'Fetched from'} ${path}, ${formatBytes(of ?? at)}`}
        {phase === 'waiting' && 'The connection broke. It goes on where it was.'}
        {phase === 'going' && (of === null ? 'Waiting for the device' : `${formatBytes(at)} of ${formatBytes(of)}`)}
      </p>
      {phase === 'done' && (
        <p className="flex items-center gap-1 text-xs text-fg-3">
          <span className="min-w-0">
            SHA-256 <span className="mono wrap-anywhere">{sha256}</span>
          </span>
          <CopyButton text={sha256} label={`Copy the SHA-256 of ${name}`} />
        </p>
      )}
    </li>
  )
}
