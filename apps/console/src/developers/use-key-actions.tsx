import type { ApiKey, ApiKeyOnce } from '@masthead/contract/developers/api-key'
import { deleteApiKey, disableApiKey, enableApiKey, rotateApiKey, updateApiKey } from '@masthead/contract/developers/operations'
import { Copy, Pencil, Power, PowerOff, RefreshCw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useDenied } from '../kit/ActionButton.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { plain, toast } from '../ui/toast.ts'
import { OverlapField } from '../kit/span-fields.tsx'
import { CreateKeyModal, EditKeyModal } from './KeyForm.tsx'
import { exampleCurl } from './key-words.ts'
import { SecretOnce, TryIt } from './SecretOnce.tsx'
import { SwitchDialog } from './SwitchDialog.tsx'

type Doing =
  | { what: 'create' }
  | { what: 'secret'; key: ApiKeyOnce; made: boolean }
  | { what: 'edit' | 'rotate' | 'disable' | 'enable' | 'delete'; key: ApiKey }

/** What can be done with keys: the items of a row's menu, how to begin a new one, and the dialog that is open. */
export function useKeyActions(): { items: (key: ApiKey) => MenuItem[]; create: () => void; dialog: ReactNode } {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const items = (key: ApiKey): MenuItem[] => {
    const open = (what: 'edit' | 'rotate' | 'disable' | 'enable' | 'delete') => () => setDoing({ what, key })
    return [
      { label: 'Edit', icon: Pencil, onSelect: open('edit'), disabled: denied(updateApiKey) },
      { label: 'Copy ID', icon: Copy, onSelect: () => void copyText(key.id) },
      { separator: true },
      {
        label: 'Rotate',
        icon: RefreshCw,
        onSelect: open('rotate'),
        disabled: denied(rotateApiKey) ?? (key.state === 'expired' ? 'It has expired: set a later expiry first' : null),
      },
      key.state === 'disabled'
        ? { label: 'Enable', icon: Power, onSelect: open('enable'), disabled: denied(enableApiKey) }
        : { label: 'Disable', icon: PowerOff, onSelect: open('disable'), disabled: denied(disableApiKey) },
      { label: 'Revoke', icon: Trash2, danger: true, onSelect: open('delete'), disabled: denied(deleteApiKey) },
    ]
  }
  return {
    items,
    create: () => setDoing({ what: 'create' }),
    dialog: doing && <KeyDialog doing={doing} onClose={close} onSecret={setDoing} />,
  }
}

function KeyDialog({ doing, onClose, onSecret }: { doing: Doing; onClose: () => void; onSecret: (doing: Doing) => void }) {
  if (doing.what === 'create') return <CreateKeyModal onClose={onClose} onMade={(key) => onSecret({ what: 'secret', key, made: true })} />
  if (doing.what === 'secret')
    return (
      <SecretOnce
        title={doing.made ? `API key ${doing.key.name}` : `New secret of ${doing.key.name}`}
        label="API key"
        secret={doing.key.secret}
        onClose={onClose}
      >
        <TryIt code={exampleCurl(doing.key.secret)} />
      </SecretOnce>
    )
  const { key, what } = doing
  if (what === 'edit') return <EditKeyModal apiKey={key} onClose={onClose} onDone={() => toast.success(`Saved ${plain(key.name)}`)} />
  if (what === 'rotate')
    return (
      <FormModal
        open
        onClose={onClose}
        title={`Rotate ${key.name}?`}
        operation={rotateApiKey}
        values={{ overlap_hours: 24 }}
        input={(body) => ({ params: { api_key_id: key.id }, body })}
        submit="Rotate"
        onDone={(rotated) => onSecret({ what: 'secret', key: rotated, made: false })}
      >
        <p className="text-fg-2">
          It gets a new secret, which is shown once. Programs that use the previous one keep working for the time you choose.
        </p>
        <OverlapField label="Previous secret works for" />
      </FormModal>
    )
  return <SwitchDialog does={switches[what]} params={{ api_key_id: key.id }} name={key.name} onClose={onClose} />
}

const switches = {
  disable: {
    operation: disableApiKey,
    title: 'Disable',
    confirm: 'Disable',
    color: 'danger',
    done: 'Disabled',
    words: 'Calls with it are refused from now on, until it is enabled again.',
  },
  enable: {
    operation: enableApiKey,
    title: 'Enable',
    confirm: 'Enable',
    color: 'success',
    done: 'Enabled',
    words: 'Calls with it are answered again.',
  },
  delete: {
    operation: deleteApiKey,
    title: 'Revoke',
    confirm: 'Revoke key',
    color: 'danger',
    done: 'Revoked',
    words: 'Calls with it are refused from now on, and it disappears from this list. This cannot be undone.',
  },
} as const
