import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getStrip, getVerdict } from '@masthead/contract/overview/glance-operations'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useSeen } from '../ui/use-seen.ts'
import type { Verdict } from './verdict-words.ts'

// Drawn once the sentence and the figures are there: they are the first screen.
const Strip = lazy(() => import('./strip/Strip.tsx').then((module) => ({ default: module.Strip })))

/** The strip's place, its head, and what to say where there is none. */
export function StripCell() {
  const [place, seen] = useSeen<HTMLDivElement>()
  const { data: verdict } = useQuery(q(getVerdict, {}))
  return (
    <PanelCell className="col-span-2 @lg:col-span-12" title="Last 24 hours" note={verdict && noteOf(verdict)} line={false}>
      <div ref={place} style={{ minHeight: 324 }}>
        {seen && verdict ? <Loaded verdict={verdict} /> : <Coming />}
      </div>
      <p className="min-h-9 px-4 pb-3 text-xs text-fg-3">
        {verdict && verdict.not_counted.length > 0 && (
          <>
            Not counted, because they need not work now:{' '}
            {verdict.not_counted.map(({ status, count }, at) => (
              <span key={status}>
                {at > 0 && ', '}
                <Link to={`/assets?sim_status=${status}`} className="underline underline-offset-2">
                  {count.toLocaleString('en')} {status}
                </Link>
              </span>
            ))}
            .
          </>
        )}
      </p>
    </PanelCell>
  )
}

function noteOf({ should, unseen, judged_until }: Verdict) {
  const seen = should - (unseen ?? 0)
  return judged_until && `${seen.toLocaleString('en')} ${seen === 1 ? 'SIM' : 'SIMs'}, each against its own last weeks`
}

function Loaded({ verdict }: { verdict: Verdict }) {
  // Asked again when another number of SIMs is off, or another hour was judged, and not with every packet.
  const { judged_until, should, blocked, refused, silent, unseen } = verdict
  const asked = q(getStrip, {})
  const { data, error, refetch } = useQuery({
    ...asked,
    queryKey: ['strip', judged_until, should, blocked, refused, silent, unseen],
    placeholderData: keepPreviousData as never,
    refetchInterval: 300_000,
  })
  if (error && !data) return <ErrorState title="The last 24 hours could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <Coming />
  if (!data.start || data.groups.length === 0)
    return (
      <p className="px-4 py-6 text-fg-2">
        {data.start || should === 0
          ? 'No data found: no active SIM was seen so far.'
          : 'The hours of your SIMs are not judged yet. What is usual of a SIM is learned from itself: after 2 days by the hour, after 2 weeks by hour and weekday.'}
      </p>
    )
  return (
    <Suspense fallback={<Coming />}>
      <Strip strip={data} />
    </Suspense>
  )
}

const Coming = () => (
  <div className="px-4 pt-9 pb-5">
    <Skeleton className="h-66 w-full" />
  </div>
)
