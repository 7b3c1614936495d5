import { RotateCw } from 'lucide-react'
import { useMatches, useRouteError } from 'react-router'
import { useSession } from '../api/session.ts'
import type { Screen } from '../screens.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useLoadAgain } from './use-load-again.ts'

const said = {
  unanswered: [
    'The server does not answer',
    'You are signed out in this window. Reload once the server is back, and if you are still signed in there, sign out again.',
  ],
  lost: [
    'This screen could not be loaded',
    'The connection was lost, or a new version was installed. It comes by itself when the connection is back; reload to get a new version. Nothing you saved is lost.',
  ],
  broken: ['This screen stopped working', 'The fault is on our side. Reload to continue; nothing you saved is lost.'],
} as const

/** Shown in place of a screen that could not be loaded or drawn. */
export function ErrorScreen() {
  const error = useRouteError()
  // After signing out the sign-in may be what does not come.
  const left = useSession((session) => session.left)
  const screen = useMatches().at(-1)?.handle as Screen | undefined
  const chunk = error instanceof Error && error.name === 'ChunkLoadError'
  useLoadAgain(chunk && !left)
  const [title, words] = said[chunk ? (left ? 'unanswered' : 'lost') : 'broken']
  return (
    <>
      {/* It had drawn its banner itself. */}
      {screen?.ownBanner && <Banner title={screen.title} />}
      <div role="alert" className="grid min-h-80 flex-1 grid-cols-[minmax(0,1fr)] place-items-center">
        <EmptyState
          title={title}
          actions={
            <Button icon={RotateCw} onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          {words}
          {error instanceof Error && !chunk && <span className="mono mt-2 block text-xs wrap-anywhere text-fg-3">{error.message}</span>}
        </EmptyState>
      </div>
    </>
  )
}
