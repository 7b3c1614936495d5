import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { MomentTime } from '../../kit/RelativeTime.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { latencyWords } from '../session-words.ts'

/** How limits of the asset were held, the latest first. */
export function HeldPanel({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(listEnforcements, { query: { asset_id: asset.id, page_size: 5 } }))
  return (
    <Panel
      title="Limits enforced"
      end={
        <Link className="link text-xs" to={`/enforcements?asset_id=${asset.id}`}>
          All
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState title="The limits that were enforced could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines lines={3} />
      ) : data.items.length === 0 ? (
        <p className="text-fg-3">No limit was reached yet.</p>
      ) : (
        <ol className="grid gap-3">
          {data.items.map(({ id, limit_period, reached_at, latency_ms, overshoot_bytes, cut_at }) => (
            <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
              <Link className="link" to={`/enforcements/${id}`}>
                {cut_at === null
                  ? 'Session goes on'
                  : latency_ms === null
                    ? 'No session was cut'
                    : `Enforced in ${latencyWords(latency_ms)}`}
              </Link>
              <span className="text-xs leading-5 text-fg-2">
                <MomentTime at={reached_at} />
              </span>
              <span className="text-xs text-fg-3">
                {formatBytes(overshoot_bytes)} {limit_period === 'credits' ? 'without credits' : 'beyond the limit'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
