import { useQuery } from '@tanstack/react-query'
import type { Activity } from '@masthead/contract/activities/activity'
import { getActivity } from '@masthead/contract/activities/operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { ActivitySentence, actorWords } from './ActivitySentence.tsx'
import { readDetail } from './detail-changes.ts'

/** One activity beside the list: who, from where, what it changed, and its place in the chain. `onAsset` shows only those of its asset. */
export function ActivitySheet({ id, onClose, onAsset }: { id: string; onClose: () => void; onAsset: (asset_id: string) => void }) {
  const { data, error, refetch } = useQuery(q(getActivity, { params: { activity_id: id } }))
  const activity = data?.id === id ? data : undefined
  const asset_id = activity?.asset_id
  // Who may not see the rows of a change is not told where they are.
  const { bulk_id, results } = activity?.detail ?? {}
  return (
    <Sheet
      open
      onClose={onClose}
      title="Activity"
      note={activity && <ActivitySentence activity={activity} />}
      footer={
        asset_id ? (
          <Button onClick={() => onAsset(asset_id)}>Only this asset</Button>
        ) : (
          typeof bulk_id === 'string' &&
          results !== undefined && (
            <LinkButton as={Link} to={`/assets?change=${bulk_id}`}>
              Results
            </LinkButton>
          )
        )
      }
    >
      {error && !activity ? (
        <ErrorState title="The activity could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : activity ? (
        <ActivityDetail activity={activity} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Sheet>
  )
}

function ActivityDetail({ activity }: { activity: Activity }) {
  const { at, actor, ip, request_id, metadata, detail, entry } = activity
  const { changes, rest } = readDetail(detail)
  return (
    <>
      <Facts>
        <Fact label="Time">{formatExactHere(at)}</Fact>
        <Fact label="Performed by">{actorWords(actor)}</Fact>
        <Fact label="IP address">
          <CopyText text={ip} label="address" />
        </Fact>
        <Fact label="Action">
          <span className="mono">
            {metadata.category}.{metadata.action}
          </span>
        </Fact>
        <Fact label="Request">
          <CopyText text={request_id} label="request ID" />
        </Fact>
        <Fact label="Hash chain">
          {entry ? <CopyText text={`${entry.number}:${entry.hash}`} label="entry of the hash chain" max={28} /> : 'Added in a moment'}
        </Fact>
      </Facts>
      {changes.length > 0 && (
        <section aria-labelledby="activity-changes">
          <h3 id="activity-changes" className="mb-1 font-semibold">
            What changed
          </h3>
          <table className="w-full table-fixed text-left">
            <thead className="text-xs text-fg-3">
              <tr className="border-b border-line">
                <th scope="col" className="w-28 py-1.5 font-medium">
                  <span className="sr-only">What</span>
                </th>
                <th scope="col" className="py-1.5 pr-3 font-medium">
                  Before
                </th>
                <th scope="col" className="py-1.5 font-medium">
                  After
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line align-top">
              {changes.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row" className="py-1.5 pr-2 font-normal text-fg-3">
                    {name}
                  </th>
                  <td className="py-1.5 pr-3 wrap-anywhere text-fg-2">{before}</td>
                  <td className="py-1.5 wrap-anywhere">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rest.length > 0 && (
        <section aria-labelledby="activity-rest">
          <h3 id="activity-rest" className="mb-1 font-semibold">
            Details
          </h3>
          <Facts>
            {rest.map(({ name, value }) => (
              <Fact key={name} label={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        </section>
      )}
    </>
  )
}
