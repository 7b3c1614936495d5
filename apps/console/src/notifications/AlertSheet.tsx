import { useQuery } from '@tanstack/react-query'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { alertSources } from '@masthead/contract/notifications/alert'
import { acknowledgeAlerts, getAlert, readAlerts } from '@masthead/contract/notifications/operations'
import { ArrowRight, Check } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { q, useOperation } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { SeverityBadge, StateBadge, timesWords } from './alert-columns.tsx'

/** One alert beside the list: why, since when, how often, who has seen to it. To open it is to read it. */
export function AlertSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getAlert, { params: { alert_id: id } }))
  const alert = data?.id === id ? data : undefined
  const acknowledge = useOperation(acknowledgeAlerts)
  const { mutate: read } = useOperation(readAlerts)
  const unread = alert?.read === false
  useEffect(() => {
    if (unread) read({ body: { alert_ids: [id] } })
  }, [id, unread, read])
  return (
    <Sheet
      open
      onClose={onClose}
      title={alert?.title ?? 'Alert'}
      footer={
        alert && (
          <>
            {alert.link && (
              <LinkButton as={Link} to={alert.link} icon={ArrowRight}>
                {alert.asset_id ? 'Open the asset' : 'Open the screen'}
              </LinkButton>
            )}
            <ActionButton
              operation={acknowledgeAlerts}
              color="success"
              icon={Check}
              loading={acknowledge.isPending}
              disabled={alert.state === 'open' ? null : 'It is not open'}
              onClick={() => acknowledge.mutate({ body: { alert_ids: [id] } })}
            >
              Acknowledge
            </ActionButton>
          </>
        )
      }
    >
      {error && !alert ? (
        <ErrorState title="The alert could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !alert ? (
        <SkeletonLines lines={6} />
      ) : (
        <>
          <p className="text-fg-2">{alert.words}</p>
          <Facts>
            <Fact label="Severity">
              <SeverityBadge severity={alert.severity} />
            </Fact>
            <Fact label="State">
              <StateBadge state={alert.state} />
            </Fact>
            <Fact label="Source">{alertSources[alert.source]}</Fact>
            <Fact label="First">{formatExactHere(alert.first_at)}</Fact>
            {alert.count > 1 && <Fact label="Last">{formatExactHere(alert.last_at)}</Fact>}
            {alert.acknowledged_at && (
              <Fact label="Acknowledged">
                {alert.acknowledged_by}, {formatExactHere(alert.acknowledged_at)}
              </Fact>
            )}
            {alert.resolved_at && (
              <Fact label="Resolved">
                {alert.resolved_words}, {formatExactHere(alert.resolved_at)}
              </Fact>
            )}
          </Facts>
          {alert.count > 1 && (
            <section aria-labelledby="alert-times">
              <h3 id="alert-times" className="mb-1 font-semibold">
                Occurrences {timesWords(alert.count)}
              </h3>
              <ol className="grid gap-1 text-fg-2">
                {alert.happened_at.map((at) => (
                  <li key={at}>{formatExactHere(at)}</li>
                ))}
              </ol>
              {alert.count > alert.happened_at.length && <p className="mt-1 text-xs text-fg-3">And earlier.</p>}
            </section>
          )}
          {acknowledge.error && <FailureNotice of={acknowledge.error} />}
        </>
      )}
    </Sheet>
  )
}
