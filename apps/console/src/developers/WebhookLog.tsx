import { useQuery } from '@tanstack/react-query'
import { getWebhook, listDeliveries, testWebhook } from '@masthead/contract/developers/operations'
import type { Webhook } from '@masthead/contract/developers/webhook'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { ArrowLeft, MoreHorizontal, Send } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { DeliverySheet } from './DeliverySheet.tsx'
import { useWebhookActions } from './use-webhook-actions.tsx'
import { deliveryColumns } from './webhook-columns.tsx'
import { deliveryStates, disabledWords, eventsWords, webhookLook } from './webhook-words.ts'

const list = '/developer?tab=webhooks'
const filters: Filter[] = [
  { key: 'state', label: 'State', options: Object.entries(deliveryStates).map(([value, label]) => ({ value, label })) },
]

/** One webhook: how it does, and what was sent to it. */
export function WebhookLog({ id }: { id: string }) {
  const [params, setParams] = useSearchParams()
  const { data: webhook, error, refetch } = useQuery(q(getWebhook, { params: { webhook_id: id } }))
  const opened = params.get('delivery')
  const addressOf = (delivery: string | null) => {
    const next = new URLSearchParams(params)
    if (delivery) next.set('delivery', delivery)
    else next.delete('delivery')
    return next
  }
  return (
    <div className="grid gap-4">
      <Link to={list} className="inline-flex items-center gap-1.5 justify-self-start text-fg-2 hover:text-fg">
        <Icon of={ArrowLeft} size={14} />
        All webhooks
      </Link>
      {error && !webhook ? (
        <ErrorState title="The webhook could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : webhook ? (
        <>
          <Head webhook={webhook} />
          <QueryTable
            operation={listDeliveries}
            input={{ params: { webhook_id: id } }}
            label="Deliveries"
            columns={deliveryColumns}
            rowId={(delivery) => delivery.id}
            rowName={({ type }) => type}
            rowHref={(delivery) => `/developer?${addressOf(delivery.id).toString()}`}
            filters={filters}
            live
            empty={
              <EmptyState icon={Send} title="No data found">
                Nothing has been sent yet. Deliveries appear here with every response. Send a test to try it.
              </EmptyState>
            }
          />
        </>
      ) : (
        <SkeletonLines lines={6} />
      )}
      {opened && <DeliverySheet webhook_id={id} id={opened} onClose={() => setParams(addressOf(null), { preventScrollReset: true })} />}
    </div>
  )
}

function Head({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate()
  const { items, test, dialog } = useWebhookActions({ onGone: () => void navigate(list) })
  const facts = [
    `Receives ${eventsWords(webhook.events).toLowerCase()}`,
    webhook.tags.length > 0 && `only of assets tagged ${webhook.tags.map((tag) => tag.name ?? 'a deleted tag').join(' or ')}`,
    `created by ${webhook.created_by}`,
    webhook.waiting > 0 && `${webhook.waiting.toLocaleString('en')} waiting`,
  ]
  return (
    <section aria-labelledby="webhook-name" className="grid gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1">
          <h2 id="webhook-name" className="tight flex flex-wrap items-center gap-x-3 text-lg font-semibold">
            <span className="wrap-anywhere">{webhook.name}</span>
            <StatusDot {...webhookLook(webhook.state)} className="text-sm" />
          </h2>
          <p className="mono wrap-anywhere">{webhook.url}</p>
          <p className="text-fg-2">{facts.filter(Boolean).join(', ')}.</p>
        </div>
        <span className="flex gap-2">
          <ActionButton
            operation={testWebhook}
            icon={Send}
            disabled={webhook.state === 'disabled' ? 'It is disabled' : null}
            onClick={() => test(webhook)}
          >
            Send a test
          </ActionButton>
          <Menu
            trigger={<IconButton label={`Actions for ${webhook.name}`} icon={MoreHorizontal} />}
            label="Actions"
            align="end"
            items={items(webhook)}
          />
        </span>
      </div>
      {webhook.state === 'disabled' && <Notice tone="warn">{disabledWords(webhook)}. Nothing is sent to it.</Notice>}
      {webhook.state === 'paused' && (
        <Notice tone="warn">
          The last {webhook.failures} tries failed, the first of them <RelativeTime at={webhook.failing_since} />. Nothing is lost: one
          delivery is tried from time to time, next <RelativeTime at={webhook.next_try_at} />, and the rest follows once one succeeds.
        </Notice>
      )}
      {webhook.previous_secret_ends_at && (
        <Notice tone="info">The previous secret also signs, until {formatExactHere(webhook.previous_secret_ends_at)}.</Notice>
      )}
      {dialog}
    </section>
  )
}
