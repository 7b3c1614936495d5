import { useNavigation } from 'react-router'

/** The global loading flag (spec §4): on from before a route change until it is done. Short changes show nothing. */
export function LoadingBar() {
  const { state } = useNavigation()
  return (
    <div
      role="progressbar"
      aria-label="Loading the screen"
      aria-hidden={state === 'idle'}
      data-on={state === 'idle' ? undefined : ''}
      className="loading-bar"
    >
      <span />
    </div>
  )
}
