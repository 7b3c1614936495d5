import { useNavigation } from 'react-router'
import { useSession } from '../api/session.ts'

/** The global loading flag (spec §4): on from before a route change until it is done, and while one signs out. Short ones show nothing. */
export function LoadingBar() {
  const leaving = useSession((session) => session.leaving)
  const { state } = useNavigation()
  return <Loading on={leaving || state !== 'idle'} />
}

/** A line at the upper edge of the window that runs while something is loaded. */
export const Loading = ({ on }: { on: boolean }) => (
  <div role="progressbar" aria-label="Loading the screen" aria-hidden={!on} data-on={on ? '' : undefined} className="loading-bar">
    <span />
  </div>
)
