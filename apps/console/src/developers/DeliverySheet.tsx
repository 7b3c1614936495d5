import { useQuery } from '@tanstack/react-query'
import { getDelivery, replayDelivery } from '@masthead/contract/developers/operations'
import type { Attempt, DeliveryDetail } from '@masthead/contract/developers/webhook'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { RotateCcw } from 'lucide-react'
import { q, useOperation } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { toast } from '../ui/toast.ts'
import { deliveryLook, durationWords } from './webhook-words.ts'

/** One delivery beside the log: what was sent, and how each try was answered. */
export function DeliverySheet({ webhook_id, id, onClose }: { webhook_id: string; id: string; onClose: () => void }) {
  const params = { webhook_id, delivery_id: id }
  const { data, error, refetch } = useQuery(q(getDelivery, { params }))
  const delivery = data?.id === id ? data : undefined
  const replay = useOperation(replayDelivery)
  return (
    <Sheet
      open
      onClose={onClose}
      title={delivery?.type ?? 'Delivery'}
      wide
      footer={
        delivery && (
          <ActionButton
            operation={replayDelivery}
            icon={RotateCcw}
            loading={replay.isPending}
            disabled={delivery.state === 'sending' ? 'It is being sent now' : null}
            onClick={() => replay.mutate({ params }, { onSuccess: () => toast.success('Sending again') })}
          >
            Send again
          </ActionButton>
        )
      }
    >
      {error && !delivery ? (
        <ErrorState title="The delivery could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : delivery ? (
        <Detail of={delivery} />
      ) : (
        <SkeletonLines lines={8} />
      )}
      {replay.error && <FailureNotice of={replay.error} />}
    </Sheet>
  )
}

function Detail({ of: delivery }: { of: DeliveryDetail }) {
  return (
    <>
      <Facts>
        <Fact label="State">
          <StatusDot {...deliveryLook(delivery)} />
        </Fact>
        <Fact label="ID">
          <CopyText text={delivery.id} label="webhook-id" max={40} />
        </Fact>
        <Fact label="Event time">{formatExactHere(delivery.created_at)}</Fact>
        {delivery.next_try_at && <Fact label="Next try">{formatExactHere(delivery.next_try_at)}</Fact>}
      </Facts>
      <section aria-labelledby="delivery-body" className="grid gap-1.5">
        <h3 id="delivery-body" className="font-semibold">
          Request body
        </h3>
        {delivery.body === null ? (
          <Notice tone="info">{delivery.withheld}.</Notice>
        ) : (
          <JsonView label="Request body" value={JSON.parse(delivery.body) as never} open={3} />
        )}
      </section>
      <section aria-labelledby="delivery-tries" className="grid gap-2">
        <h3 id="delivery-tries" className="font-semibold">
          {delivery.tries === 0 ? 'Not tried yet' : delivery.tries === 1 ? '1 try' : `${delivery.tries} tries`}
        </h3>
        <ol className="grid gap-2">
          {delivery.attempts.map((attempt) => (
            <Try key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      </section>
    </>
  )
}

const Try = ({ attempt: { at, status, words, duration_ms, reply } }: { attempt: Attempt }) => (
  <li className="rounded-lg border border-line">
    <p className="flex flex-wrap items-center gap-x-3 px-3 py-2">
      <span className="inline-flex items-center gap-1.5 font-medium">
        <StateShape shape={words ? 'octagon' : 'done'} tone={words ? 'bad' : 'ok'} />
        {words ?? `Answered with ${status}`}
      </span>
      <span className="text-fg-3">{durationWords(duration_ms)}</span>
      <span className="ml-auto text-fg-3">{formatExactHere(at)}</span>
    </p>
    {reply && (
      <pre
        tabIndex={0}
        aria-label="Start of the response"
        className="mono max-h-40 overflow-auto border-t border-line bg-sunken p-3 text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {reply}
      </pre>
    )}
  </li>
)
