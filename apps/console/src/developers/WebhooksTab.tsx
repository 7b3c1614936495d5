import { createWebhook, listWebhooks } from '@masthead/contract/developers/operations'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { ActionButton } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useWebhookActions } from './use-webhook-actions.tsx'
import { WebhookLog } from './WebhookLog.tsx'
import { webhookColumns } from './webhook-columns.tsx'

/** The webhooks of the account, or the log of one of them. */
export function WebhooksTab() {
  const [params] = useSearchParams()
  const opened = params.get('webhook')
  return opened ? <WebhookLog key={opened} id={opened} /> : <WebhookList />
}

function WebhookList() {
  const { items, create, dialog } = useWebhookActions()
  const first = { icon: Plus, operation: createWebhook, onClick: create } as const
  return (
    <>
      <BannerEnd>
        <ActionButton {...first} color="primary-solid">
          Create webhook
        </ActionButton>
      </BannerEnd>
      <QueryTable
        operation={listWebhooks}
        label="Webhooks"
        columns={webhookColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/developer?tab=webhooks&webhook=${id}`}
        rowActions={items}
        live
        empty={
          <EmptyState icon={WebhookIcon} title="No data found" actions={<ActionButton {...first}>Create your first webhook</ActionButton>}>
            A webhook sends events to your program as they happen. Deliveries are signed, retried and logged.
          </EmptyState>
        }
      />
      {dialog}
    </>
  )
}
