import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import type { TimelineEntry } from '@masthead/contract/assets/connection'
import { listTimeline } from '@masthead/contract/assets/connection-operations'
import { formatExact } from '@masthead/contract/kernel/time'
import { Link } from 'react-router'
import { ActivitySentence } from '../../activities/index.ts'
import { q } from '../../api/query.ts'
import { LiveMark } from '../../kit/LiveMark.tsx'
import { MomentTime } from '../../kit/RelativeTime.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import { entryLook, entryNote, entryWords } from './timeline-words.ts'

const views = [
  { value: 'all', label: 'All', kind: undefined },
  { value: 'network', label: 'Network', kind: ['network', 'sessions'] },
  { value: 'activities', label: 'Activities', kind: ['activities'] },
  { value: 'alerts', label: 'Alerts', kind: ['alerts'] },
] as const
const defaults = { events: 'all', events_page: 1 }

/** One time line of what the network reports, what people and staff did, and what was alerted. */
export function TimelinePanel({ asset }: { asset: Asset }) {
  const [{ events, events_page: page }, change] = useAddressState(defaults)
  const { value: view, kind } = views.find(({ value }) => value === events) ?? views[0]
  const query = { page, page_size: 20, ...(kind && { kind: [...kind] }) }
  const { data, error, refetch } = useQuery(q(listTimeline, { params: { asset_id: asset.id }, query }))
  return (
    <Panel
      title="Time line"
      note={<LiveMark />}
      end={
        <Segmented
          label="What is shown"
          value={view}
          onChange={(next) => change({ events: next, events_page: 1 })}
          options={views.map(({ value, label }) => ({ value, label }))}
        />
      }
    >
      {error && !data ? (
        <ErrorState title="The time line could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines lines={8} />
      ) : data.items.length === 0 ? (
        <p className="text-fg-3">No data found</p>
      ) : (
        <ol aria-label="Time line">
          {data.items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {(page > 1 || data?.next) && (
        <div className="mt-3 flex justify-end gap-2">
          <Button
            size="small"
            disabled={page === 1 && 'These are the newest'}
            onClick={() => change({ events_page: page - 1 }, { push: true })}
          >
            Newer
          </Button>
          <Button
            size="small"
            disabled={!data?.next && 'These are the oldest'}
            onClick={() => change({ events_page: page + 1 }, { push: true })}
          >
            Older
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { activity, alert, at, last_at, count } = entry
  const note = entryNote(entry)
  return (
    <li className="relative grid grid-cols-[12px_minmax(0,1fr)_auto] gap-x-3 pb-3 before:absolute before:top-5 before:-bottom-0.5 before:left-[5.5px] before:w-px before:bg-line-2 last:pb-0 last:before:hidden">
      <StateShape {...entryLook(entry)} className="mt-1" />
      <span className="grid min-w-0">
        {activity ? (
          <ActivitySentence activity={activity} plain />
        ) : alert ? (
          <Link className="hover:underline" to={`/notifications?alert=${alert.id}`}>
            {alert.title}
          </Link>
        ) : (
          <span className="wrap-anywhere">{entryWords(entry)}</span>
        )}
        {note && <span className="text-xs text-fg-3">{note}</span>}
      </span>
      <span className="text-xs leading-5 text-fg-2" title={count > 1 ? `From ${formatExact(at)} to ${formatExact(last_at)}` : undefined}>
        <MomentTime at={at} />
      </span>
    </li>
  )
}
