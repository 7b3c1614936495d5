import { useLive } from '../api/live.ts'
import { cx } from '../ui/cx.ts'

/** "Live" while what changes on the network changes on the screen; "Reconnecting" while it does not. */
export function LiveMark() {
  const state = useLive((live) => live.state)
  // Its place is kept until the first word of the server: what stands beside it would move.
  if (state === 'off')
    return (
      <span aria-hidden className="invisible pl-[9px] text-xs">
        Live
      </span>
    )
  const live = state === 'live'
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-fg-2">
      <span aria-hidden className={cx('h-2.5 w-[3px] rounded-[1px]', live ? 'breathing bg-ok-mark' : 'bg-warn-mark')} />
      {live ? 'Live' : 'Reconnecting'}
    </span>
  )
}
