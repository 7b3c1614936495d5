import { Link } from 'react-router'
import { ActivitySentence, actorWords } from '../activities/index.ts'
import { ActivityTime } from '../kit/RelativeTime.tsx'
import { cx } from '../ui/cx.ts'
import { PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { Overview } from './range-words.ts'

/** The newest of the activity log; the server sends at most four (spec §9). */
export function LatestActivity({ activities, wide = true }: { activities: Overview['latest_activity'] | undefined; wide?: boolean }) {
  return (
    <PanelCell
      className={cx('col-span-2', wide ? '@lg:col-span-12' : '@lg:col-span-8')}
      title="Latest activity"
      end={
        <Link to="/activities" className="link text-xs">
          All activities
        </Link>
      }
    >
      {activities?.length === 0 ? (
        <p className="px-4 py-6 text-fg-3">No activities to list.</p>
      ) : (
        <ul className="divide-y divide-line">
          {(activities ?? [null, null, null, null]).map((activity, at) => (
            <li key={activity?.id ?? at} className="grid gap-x-3 px-4 py-2.5 @sm:grid-cols-[132px_minmax(0,1fr)]">
              {activity ? (
                <>
                  <span className="text-fg-3">
                    <ActivityTime at={activity.at} />
                  </span>
                  <span className="min-w-0">
                    <ActivitySentence activity={activity} /> <span className="text-xs text-fg-3">{actorWords(activity.actor)}</span>
                  </span>
                </>
              ) : (
                <>
                  <Skeleton className="my-[5px] w-24" />
                  <Skeleton className="my-[5px] w-2/3" />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </PanelCell>
  )
}
