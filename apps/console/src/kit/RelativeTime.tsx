import { formatActivityTime, formatExactHere, formatMoment, formatRelative } from '@masthead/contract/kernel/time'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useClock } from './clock.ts'

/** "4 s ago", with the exact time on hover. A dash for never. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const words = useClock((now) => (at ? formatRelative(at, now) : '—'))
  return at ? <TimeWords at={at}>{words}</TimeWords> : <span className="text-fg-3">—</span>
}

/** "21 Nov, 2:31 PM", with the exact time on hover. */
export const MomentTime = ({ at }: { at: string }) => <TimeWords at={at}>{formatMoment(at)}</TimeWords>

/** "Nov 21, 2:31 PM" of the latest activity alone (spec §9), with the exact time on hover. */
export const ActivityTime = ({ at }: { at: string }) => <TimeWords at={at}>{formatActivityTime(at)}</TimeWords>

function TimeWords({ at, children }: { at: string; children: string }) {
  return (
    <Tooltip content={formatExactHere(at)}>
      <time dateTime={at} className="whitespace-nowrap">
        {children}
      </time>
    </Tooltip>
  )
}
