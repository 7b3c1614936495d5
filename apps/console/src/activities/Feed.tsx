import type { Activity } from '@masthead/contract/activities/activity'
import { formatExact } from '@masthead/contract/kernel/time'
import { CardSim, Headset, History, KeyRound, Tag, type LucideIcon } from 'lucide-react'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { actorWords, ActivitySentence } from './ActivitySentence.tsx'
import { byDay, clockWords, dayWords } from './activity-days.ts'

const icons: Record<string, LucideIcon> = { assets: CardSim, tags: Tag, auth: KeyRound, backoffice: Headset }

/** Activities day by day, newest first. `onActor` is told whose name was pressed. */
export function Feed({ activities, today, onActor }: { activities: readonly Activity[]; today: string; onActor: (email: string) => void }) {
  return byDay(activities).map(([day, part]) => (
    <section key={day} aria-label={dayWords(day, today)}>
      <h2 className="border-b border-line bg-chrome px-4 py-2 text-xs font-medium text-fg-2">{dayWords(day, today)}</h2>
      <ul className="divide-y divide-line border-b border-line">
        {part.map((activity) => (
          <FeedRow key={activity.id} activity={activity} onActor={() => onActor(activity.actor.email)} />
        ))}
      </ul>
    </section>
  ))
}

function FeedRow({ activity, onActor }: { activity: Activity; onActor: () => void }) {
  const { actor, at, ip, metadata } = activity
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-3 px-4 py-2 hover:bg-hover">
      <Icon of={icons[metadata.category] ?? History} className="mt-0.5 text-fg-3" />
      <span className="grid min-w-0 gap-0.5">
        <ActivitySentence activity={activity} />
        <span className="flex flex-wrap gap-x-2 text-xs text-fg-3">
          <button
            type="button"
            className="min-w-0 truncate hover:text-fg hover:underline"
            aria-label={`Only by ${actorWords(actor)}`}
            onClick={onActor}
          >
            {actorWords(actor)}
          </button>
          {ip && <span className="mono">{ip}</span>}
        </span>
      </span>
      <Tooltip content={formatExact(at)}>
        <time dateTime={at} className="h-5 text-xs leading-5 whitespace-nowrap text-fg-2">
          {clockWords(at)}
        </time>
      </Tooltip>
    </li>
  )
}

/** The feed on its way. */
export function FeedSkeleton() {
  return (
    <div aria-hidden>
      <div className="border-b border-line bg-chrome px-4 py-3">
        <Skeleton className="w-32" />
      </div>
      <div className="divide-y divide-line">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="grid h-[54px] content-center gap-2 px-4">
            <Skeleton className={['w-2/5', 'w-1/2', 'w-1/3'][row % 3]!} />
            <Skeleton className="h-2 w-32" />
          </div>
        ))}
      </div>
    </div>
  )
}
