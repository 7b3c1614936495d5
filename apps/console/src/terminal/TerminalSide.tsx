import { CopyButton } from '../ui/CopyButton.tsx'
import { Button } from '../ui/Button.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import type { TerminalStanding } from './use-terminal.ts'

/** `watched`: whether others of the account may be sent its address. */
type Props = { standing: TerminalStanding; watched: boolean; types: boolean; onAsk: () => void; onGive: (client: string) => void }

/** Who is here, and who types. */
export function TerminalSide({ standing: { people, you, session, user }, watched, types, onAsk, onGive }: Props) {
  if (people.length === 0) return null
  const watch = watched && session && `${location.href.split('?')[0]}?session=${session.id}`
  return (
    <aside className="terminal-side" aria-label="Session">
      <h2 className="border-b border-line px-4 py-3 text-sm font-semibold">
        Who is here <span className="font-normal text-fg-3">{people.length}</span>
      </h2>
      <ul className="divide-y divide-line">
        {people.map((one) => (
          <li key={one.id} className="flex items-center gap-2.5 px-4 py-2.5">
            <StateShape shape={one.types ? 'disc' : 'diamond'} tone={one.types ? 'ok' : 'info'} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{one.email}</span>
              <span className="text-xs text-fg-3">
                {one.id === you && 'you: '}
                {one.types ? 'types' : one.asks ? 'watches; asks to type' : 'watches'}
              </span>
            </span>
            {types && !one.types && (
              <Button size="small" onClick={() => onGive(one.id)}>
                Hand over
              </Button>
            )}
            {!types && one.id === you && (
              <Button size="small" disabled={one.asks} onClick={onAsk}>
                Ask to type
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="border-y border-line px-4 py-3 text-xs text-fg-3">
        One person types at a time. Whoever hands over goes on watching.
        {watch && (
          <span className="mt-2 flex items-center gap-1">
            Link to watch <CopyButton text={watch} label="Copy the link to watch" />
          </span>
        )}
      </p>
      {user && (
        <p className="px-4 py-3 text-sm">
          <span className="text-fg-3">As user</span> <span className="mono">{user}</span>
        </p>
      )}
    </aside>
  )
}
