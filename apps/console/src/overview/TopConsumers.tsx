import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { OverviewRange } from '@masthead/contract/overview/range'
import { Link } from 'react-router'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { PanelCell } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { Overview } from './range-words.ts'

const notes: Record<OverviewRange, string> = {
  today: 'today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'this month',
  '12m': '12 months',
  custom: 'these days',
}
const rows = 5

/** The SIMs with the most data of the range; bars compare with the largest. */
export function TopConsumers({
  consumers,
  as_of,
  range,
}: {
  consumers: Overview['top_consumers'] | undefined
  as_of: string | null | undefined
  range: OverviewRange
}) {
  const most = consumers?.[0]?.bytes ?? 1
  const note = as_of ? (
    <>
      {notes[range]}, of <RelativeTime at={as_of} />
    </>
  ) : (
    notes[range]
  )
  return (
    <PanelCell className="col-span-2 @lg:col-span-4" title="Top consumers" note={note}>
      {consumers?.length === 0 ? (
        <p className="px-4 py-6 text-fg-3">No SIM used data in this range.</p>
      ) : (
        <ul className="divide-y divide-line">
          {(consumers ?? Array.from({ length: rows }, () => null)).map((sim, at) => (
            <li key={sim?.asset_id ?? at}>
              {sim ? (
                <Link
                  to={`/assets/${sim.asset_id}`}
                  className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 px-4 pt-2 pb-2.5 hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <span className="truncate font-medium">{sim.name}</span>
                  <span className="tabular-nums">
                    {formatSteadyBytes(sim.bytes)} <span className="text-xs text-fg-3">{Math.round(100 * sim.share)} %</span>
                  </span>
                  <ProgressBar size={3} value={sim.bytes / most} label={`${sim.name}, beside the largest`} className="col-span-2" />
                </Link>
              ) : (
                <span className="grid gap-2.5 px-4 py-[13px]" aria-hidden>
                  <Skeleton className={at % 2 ? 'w-2/5' : 'w-1/3'} />
                  <Skeleton className="h-[3px] w-full" />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </PanelCell>
  )
}
