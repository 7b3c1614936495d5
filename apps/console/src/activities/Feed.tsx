import type { Activity } from '@masthead/contract/activities/activity'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { Bell, CardSim, ChevronRight, Code, CreditCard, Headset, History, KeyRound, Tag, Users, type LucideIcon } from 'lucide-react'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { opensRow } from '../ui/Table.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { actorFilter, actorWords, ActivitySentence } from './ActivitySentence.tsx'
import { byDay, clockWords, dayWords } from './activity-days.ts'

const icons: Record<string, LucideIcon> = {
  assets: CardSim,
  tags: Tag,
  auth: KeyRound,
  backoffice: Headset,
  teams: Users,
  developers: Code,
  notifications: Bell,
  billing: CreditCard,
}

type FeedActions = { onActor: (actor: string) => void; onOpen: (id: string) => void }

/** Activities day by day, newest first. `onActor` gets whose name was pressed, `onOpen` which activity is to be shown. */
export function Feed({ activities, today, onActor, onOpen }: { activities: readonly Activity[]; today: string } & FeedActions) {
  return byDay(activities).map(([day, part]) => (
    <section key={day} aria-label={dayWords(day, today)}>
      <h2 className="border-b border-line bg-chrome px-4 py-2 text-xs font-medium text-fg-2">{dayWords(day, today)}</h2>
      <ul className="divide-y divide-line border-b border-line">
        {part.map((activity) => (
          <FeedRow key={activity.id} activity={activity} onActor={onActor} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ))
}

function FeedRow({ activity, onActor, onOpen }: { activity: Activity } & FeedActions) {
  const { actor, at, id, ip, metadata, sentence } = activity
  return (
    <li
      className="grid cursor-pointer grid-cols-[16px_minmax(0,1fr)_auto_auto] gap-x-3 px-4 py-2 hover:bg-hover"
      onClick={(event) => opensRow(event) && onOpen(id)}
    >
      <Icon of={icons[metadata.category] ?? History} className="mt-0.5 text-fg-3" />
      <span className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
        <ActivitySentence activity={activity} />
        <span className="flex flex-wrap gap-x-2 text-xs text-fg-3">
          <button
            type="button"
            className="-my-1 min-h-6 min-w-0 text-left wrap-anywhere hover:text-fg hover:underline"
            aria-label={`Only by ${actorWords(actor)}`}
            onClick={() => onActor(actorFilter(actor))}
          >
            {actor.kind === 'staff' ? actor.email : actorWords(actor)}
          </button>
          {ip && <span className="mono">{ip}</span>}
          {actor.kind === 'staff' && <Badge tone="info">Support staff</Badge>}
        </span>
      </span>
      <Tooltip content={formatExactHere(at)}>
        <time dateTime={at} className="h-5 text-xs leading-5 whitespace-nowrap text-fg-2">
          {clockWords(at)}
        </time>
      </Tooltip>
      <IconButton label={`Details: ${sentence}`} icon={ChevronRight} size="small" className="-my-0.5 -mr-2" onClick={() => onOpen(id)} />
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
