import { useQuery } from '@tanstack/react-query'
import { listActivities } from '@masthead/contract/activities/operations'
import type { Activity } from '@masthead/contract/activities/activity'
import type { Asset } from '@masthead/contract/assets/asset'
import { Link } from 'react-router'
import { ActivitySentence } from '../../activities/index.ts'
import { q } from '../../api/query.ts'
import { LiveMark } from '../../kit/LiveMark.tsx'
import { MomentTime } from '../../kit/RelativeTime.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StateShape, type Shape, type Tone } from '../../ui/StateShape.tsx'
import { byWords } from '../sim-words.ts'

/** What happened to the asset lately. */
export function EventsPanel({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(listActivities, { query: { asset_id: asset.id, page_size: 8 } }))
  return (
    <Panel
      title="Recent events"
      note={<LiveMark />}
      end={
        <Link className="link text-xs" to={`/activities?asset_id=${asset.id}`}>
          All events
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState title="The events could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines lines={5} />
      ) : data.items.length === 0 ? (
        <p className="text-fg-3">No activities to list.</p>
      ) : (
        <ol>
          {data.items.map((activity) => (
            <EventLine key={activity.id} activity={activity} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

const looks: Record<string, { shape: Shape; tone: Tone }> = {
  'assets.sim_blocked': { shape: 'octagon', tone: 'bad' },
  'assets.block_taken_over': { shape: 'octagon', tone: 'bad' },
  'assets.sim_unblocked': { shape: 'done', tone: 'ok' },
  'assets.usage_corrected': { shape: 'diamond', tone: 'warn' },
  'assets.sim_activated': { shape: 'disc', tone: 'ok' },
  'assets.sim_went_live': { shape: 'disc', tone: 'ok' },
  'assets.sim_deactivated': { shape: 'ring', tone: 'idle' },
}

function EventLine({ activity }: { activity: Activity }) {
  const { metadata, detail, actor, at } = activity
  const name = `${metadata.category}.${metadata.action}`
  const failed = name === 'assets.session_cut' && (detail.answer === 'nak' || detail.answer === 'timeout')
  const look = failed
    ? { shape: 'triangle' as const, tone: 'warn' as const }
    : (looks[name] ?? { shape: 'done' as const, tone: 'idle' as const })
  return (
    <li className="relative grid grid-cols-[12px_minmax(0,1fr)_auto] gap-x-3 pb-3 before:absolute before:top-5 before:-bottom-0.5 before:left-[5.5px] before:w-px before:bg-line-2 last:pb-0 last:before:hidden">
      <StateShape {...look} className="mt-1" />
      <span className="grid min-w-0">
        <ActivitySentence activity={activity} plain />
        <span className="text-xs text-fg-3" title={actor.email}>
          by {byWords(actor.kind === 'system' ? 'system' : actor.email)}
        </span>
      </span>
      <span className="text-xs leading-5 text-fg-2">
        <MomentTime at={at} />
      </span>
    </li>
  )
}
