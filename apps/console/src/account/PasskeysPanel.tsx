import { removePasskey, updatePasskey, type Passkey, type Security } from '@masthead/contract/account/security-operations'
import { Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { noPasskeys } from '../auth/index.ts'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { plain, toast } from '../ui/toast.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { noProof, ProofFields } from './ProofFields.tsx'

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey } | null

/** The passkeys one signs in with in place of a password. */
export function PasskeysPanel({ security }: { security: Security }) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const add = (
    <Button size="small" icon={Plus} disabled={noPasskeys()} onClick={() => setOpen({ what: 'add' })}>
      Add passkey
    </Button>
  )
  return (
    <Panel title="Passkeys" flush className="col-span-full" end={security.passkeys.length > 0 && add}>
      {security.passkeys.length === 0 ? (
        <EmptyState title="You have no passkeys" actions={add}>
          A passkey signs you in with your fingerprint, your face, or the PIN of a device or security key. There is nothing to remember, and
          nothing that a phishing site could steal.
        </EmptyState>
      ) : (
        <PlainTable
          label="Passkeys"
          columns={columns}
          rows={security.passkeys}
          rowId={(row) => row.id}
          more={(passkey) => (
            <Menu
              trigger={<IconButton label={`Actions for ${passkey.name}`} icon={Ellipsis} size="small" />}
              label={`Actions for ${passkey.name}`}
              align="end"
              items={[
                { label: 'Rename', onSelect: () => setOpen({ what: 'rename', passkey }) },
                { label: 'Remove', onSelect: () => setOpen({ what: 'remove', passkey }) },
              ]}
            />
          )}
        />
      )}
      {open?.what === 'add' && <AddPasskey security={security} onClose={close} />}
      {open?.what === 'rename' && (
        <FormModal
          open
          onClose={close}
          title="Rename passkey"
          operation={updatePasskey}
          values={{ name: open.passkey.name }}
          input={(body) => ({ params: { passkey_id: open.passkey.id }, body })}
          submit="Rename"
        >
          <FormText name="name" label="Name" autoFocus />
        </FormModal>
      )}
      {open?.what === 'remove' && (
        <FormModal
          open
          onClose={close}
          title={`Remove ${open.passkey.name}?`}
          operation={removePasskey}
          values={noProof}
          input={(body) => ({ params: { passkey_id: open.passkey.id }, body })}
          submit="Remove passkey"
          color="danger"
          onDone={() => toast.success(`${plain(open.passkey.name)} is removed`)}
        >
          <p className="text-fg-2">It can no longer sign you in. Delete it on the device too, so that it is not offered there.</p>
          <ProofFields security={security} focus />
        </FormModal>
      )}
    </Panel>
  )
}

const columns: readonly Column<Passkey>[] = [
  {
    id: 'name',
    header: 'Name',
    list: 'title',
    cell: ({ name, synced }) => <TwoLines first={name} second={synced ? 'Synced between devices' : 'On one device'} />,
  },
  { id: 'created_at', header: 'Added', drop: 1, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: 'last_used_at',
    header: 'Last used',
    list: 'below',
    listHead: true,
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
  },
]
