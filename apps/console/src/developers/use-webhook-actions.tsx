import {
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from '@masthead/contract/developers/operations'
import type { Webhook, WebhookOnce } from '@masthead/contract/developers/webhook'
import { Pencil, Power, PowerOff, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useOperation } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { plain, toast } from '../ui/toast.ts'
import { CodeBlock } from '../kit/CodeBlock.tsx'
import { OverlapField } from '../kit/span-fields.tsx'
import { SecretOnce } from './SecretOnce.tsx'
import { SwitchDialog } from './SwitchDialog.tsx'
import { verifyExample } from './verify-example.ts'
import { CreateWebhookModal, EditWebhookModal } from './WebhookForm.tsx'

type Switch = 'disable' | 'enable' | 'wake' | 'delete'
type Doing = { what: 'create' } | { what: 'secret'; webhook: WebhookOnce } | { what: 'edit' | 'rotate' | Switch; webhook: Webhook }

/** What can be done with webhooks: the items of a menu, a test, how to begin a new one, and the dialog that is open. */
export function useWebhookActions({ onGone }: { onGone?: () => void } = {}) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const sending = useOperation(testWebhook)
  const test = (webhook: Webhook) =>
    sending.mutate(
      { params: { webhook_id: webhook.id } },
      { onSuccess: () => toast.success(`Sent a test to ${plain(webhook.name)}`), onError: (failure) => toast.failure(failure) }
    )
  const items = (webhook: Webhook): MenuItem[] => {
    const open = (what: 'edit' | 'rotate' | Switch) => () => setDoing({ what, webhook })
    const off = webhook.state === 'disabled'
    return [
      { label: 'Send a test', icon: Send, onSelect: () => test(webhook), disabled: denied(testWebhook) ?? (off ? 'It is disabled' : null) },
      { label: 'Edit', icon: Pencil, onSelect: open('edit'), disabled: denied(updateWebhook) },
      { label: 'Rotate the secret', icon: RefreshCw, onSelect: open('rotate'), disabled: denied(rotateWebhook) },
      { separator: true },
      ...(off ? [{ label: 'Enable', icon: Power, onSelect: open('enable'), disabled: denied(enableWebhook) }] : []),
      ...(webhook.state === 'paused' ? [{ label: 'Retry now', icon: Power, onSelect: open('wake'), disabled: denied(enableWebhook) }] : []),
      ...(off ? [] : [{ label: 'Disable', icon: PowerOff, onSelect: open('disable'), disabled: denied(disableWebhook) }]),
      { label: 'Delete', icon: Trash2, danger: true, onSelect: open('delete'), disabled: denied(deleteWebhook) },
    ]
  }
  const close = () => setDoing(null)
  const dialog: ReactNode = doing && <WebhookDialog doing={doing} onClose={close} onSecret={setDoing} {...(onGone && { onGone })} />
  return { items, test, create: () => setDoing({ what: 'create' }), dialog }
}

type DialogProps = { doing: Doing; onClose: () => void; onSecret: (doing: Doing) => void; onGone?: () => void }

function WebhookDialog({ doing, onClose, onSecret, onGone }: DialogProps) {
  const secret = (webhook: WebhookOnce) => onSecret({ what: 'secret', webhook })
  if (doing.what === 'create') return <CreateWebhookModal onClose={onClose} onMade={secret} />
  const { webhook, what } = doing
  if (what === 'secret')
    return (
      <SecretOnce title={`Secret of ${webhook.name}`} label="signing secret" secret={webhook.secret} onClose={onClose}>
        <p className="text-fg-2">With it you can verify that a delivery was sent by this installation:</p>
        <CodeBlock label="example" code={verifyExample} />
      </SecretOnce>
    )
  if (what === 'edit')
    return <EditWebhookModal webhook={webhook} onClose={onClose} onDone={() => toast.success(`Saved ${plain(webhook.name)}`)} />
  if (what === 'rotate')
    return (
      <FormModal
        open
        onClose={onClose}
        title={`Rotate the secret of ${webhook.name}?`}
        operation={rotateWebhook}
        values={{ overlap_hours: 24 }}
        input={(body) => ({ params: { webhook_id: webhook.id }, body })}
        submit="Rotate"
        onDone={secret}
      >
        <p className="text-fg-2">It gets a new secret, which is shown once. For a while each delivery is signed with both.</p>
        <OverlapField label="Previous secret signs for" />
      </FormModal>
    )
  return (
    <SwitchDialog
      does={switches[what]}
      params={{ webhook_id: webhook.id }}
      name={webhook.name}
      onClose={onClose}
      onDone={what === 'delete' ? onGone : undefined}
    />
  )
}

const switches = {
  disable: {
    operation: disableWebhook,
    title: 'Disable',
    confirm: 'Disable',
    color: 'danger',
    done: 'Disabled',
    words: 'Waiting deliveries are discarded, and events are not sent later.',
  },
  enable: {
    operation: enableWebhook,
    title: 'Enable',
    confirm: 'Enable',
    color: 'success',
    done: 'Enabled',
    words: 'New events are sent again, and waiting deliveries are sent at once.',
  },
  wake: {
    operation: enableWebhook,
    title: 'Retry deliveries to',
    confirm: 'Retry now',
    color: 'success',
    done: 'Retrying deliveries to',
    words: 'Its failure count is reset, and waiting deliveries are sent at once.',
  },
  delete: {
    operation: deleteWebhook,
    title: 'Delete',
    confirm: 'Delete webhook',
    color: 'danger',
    done: 'Deleted',
    words: 'Its log goes with it. This cannot be undone.',
  },
} as const
