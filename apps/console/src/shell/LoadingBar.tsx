import { useNavigation } from 'react-router'

/** The global loading flag (spec §4): on from before a route change until it is done. Short changes show nothing. */
export function LoadingBar() {
  return <Loading on={useNavigation().state !== 'idle'} />
}

/** A line at the upper edge of the window that runs while something is loaded. */
export const Loading = ({ on }: { on: boolean }) => (
  <div role="progressbar" aria-label="Loading the screen" aria-hidden={!on} data-on={on ? '' : undefined} className="loading-bar">
    <span />
  </div>
)
