import { Link } from 'react-router'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { exportRecording } from '@masthead/contract/terminal/operations'
import { awayFor } from '@masthead/contract/terminal/session'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { opening, sessionQuery, wayBack } from './source.ts'
import { useNow } from './use-now.ts'
import type { Step, TerminalStanding } from './use-terminal.ts'

const steps: { step: Step; words: string; wait: string }[] = [
  { step: 'asked', words: 'You may, and the device is online', wait: '' },
  { step: 'device', words: 'The device answers', wait: 'Usually under 4 s. After 20 s we stop and say why.' },
  { step: 'shell', words: 'The shell starts', wait: '' },
]

type CardProps = { title: string; children: React.ReactNode; note?: string; actions: React.ReactNode }

export const Card = ({ title, children, note, actions }: CardProps) => (
  <section className="terminal-card" aria-label={title}>
    <h2 className="px-5 pt-4 pb-2 text-md font-semibold">{title}</h2>
    {children}
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
      <span className="mr-auto text-xs text-fg-3">{note}</span>
      {actions}
    </div>
  </section>
)

type OpeningProps = { standing: TerminalStanding; support: string | null; onAgain: () => void }

/** The steps on the way to the shell, each with its time, and the one that failed with its reason. */
export function OpeningCard({ standing, support, onAgain }: OpeningProps) {
  const { phase, done, words } = standing
  const failed = phase === 'failed'
  const at = steps.findIndex(({ step }) => done[step] === undefined)
  return (
    <Card
      title={failed ? 'The terminal could not be opened' : 'Opening a terminal'}
      note={failed ? 'No shell runs on the device.' : 'This session will be recorded.'}
      actions={
        failed ? (
          <ActionButton operation={opening(support)} color="primary-solid" onClick={onAgain}>
            Try again
          </ActionButton>
        ) : null
      }
    >
      <ol className="grid gap-2 px-5 pb-4" aria-live="polite">
        {steps.map(({ step, words: label, wait }, place) => {
          const seconds = done[step]
          const shape = seconds !== undefined ? 'done' : place !== at ? 'dashed' : failed ? 'octagon' : 'busy'
          const tone = ({ done: 'ok', dashed: 'idle', octagon: 'bad', busy: 'info' } as const)[shape]
          return (
            <li key={step} className="grid grid-cols-[16px_1fr_auto] items-baseline gap-x-2">
              <span className="self-center">
                <StateShape shape={shape} tone={tone} />
              </span>
              <span className={place > at && at >= 0 ? 'text-fg-3' : 'font-medium'}>{label}</span>
              <span className="text-xs text-fg-3 tabular-nums">{seconds === undefined ? '' : `${seconds.toFixed(2)} s`}</span>
              {place === at && (failed ? words : wait) && (
                <p className={failed ? 'col-start-2 text-bad-fg' : 'col-start-2 text-xs text-fg-3'}>{failed ? words : wait}</p>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

type EndProps = { standing: TerminalStanding; support: string | null; onAgain: () => void; onTryNow: () => void }

/** The connection broke, or the session is over. */
export function EndCard({ standing, support, onAgain, onTryNow }: EndProps) {
  const { phase, words, session } = standing
  const [since] = useState(() => Date.now())
  const left = Math.max(0, Math.round((since + awayFor - useNow()) / 1000))
  if (phase !== 'ended')
    return (
      <Card
        title={phase === 'device_away' ? 'The connection to the device broke' : 'The connection to Masthead broke'}
        note="Keys you press now are not sent."
        actions={phase === 'device_away' ? null : <Button onClick={onTryNow}>Try now</Button>}
      >
        <div className="px-5 pb-4">
          <p className="text-fg-2">Your shell goes on, and so does what it runs. What it prints meanwhile comes when we are back.</p>
          <p className="mt-2">
            <b className="tabular-nums">0:{String(left).padStart(2, '0')}</b> <span className="text-fg-2">until the shell is ended.</span>
          </p>
        </div>
      </Card>
    )
  return (
    <Card
      title="The session ended"
      actions={
        <>
          {session && (
            <LinkButton as={Link} to={wayBack(support, session, null).to}>
              {wayBack(support, session, null).label}
            </LinkButton>
          )}
          <ActionButton operation={opening(support)} color="primary-solid" onClick={onAgain}>
            Open again
          </ActionButton>
        </>
      }
    >
      <p className="px-5 pb-2">{words}.</p>
      {session && <Lasted id={session.id} support={support} />}
    </Card>
  )
}

function Lasted({ id, support }: { id: string; support: string | null }) {
  const { data } = useQuery({
    ...sessionQuery(support, id),
    staleTime: 0,
    // It is written down a moment after the last word. Who may not see it any more, as support whose access is over, does not ask again.
    refetchInterval: ({ state }) => (state.error || state.data?.state === 'ended' ? false : 500),
  })
  const denied = useDenied()
  if (data?.state !== 'ended') return null
  const s = data.opened_at && data.ended_at ? Math.round((Date.parse(data.ended_at) - Date.parse(data.opened_at)) / 1000) : 0
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 pb-4 text-fg-2">
      <span className="mr-auto">
        It lasted {s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`} and showed {formatBytes(data.bytes_out)}.
      </span>
      {support === null && data.recording === 'kept' && (
        <LinkButton as={Link} to={`/terminal?recording=${id}`} size="small" disabled={denied(exportRecording)}>
          Play the recording
        </LinkButton>
      )}
    </div>
  )
}
