import { useQuery } from '@tanstack/react-query'
import type { SigningKey } from '@masthead/contract/registry/signature'
import { addSigningKey, listSigningKeys, removeSigningKey, renameSigningKey } from '@masthead/contract/registry/signing-operations'
import { Ellipsis, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { Breadcrumbs } from '../../kit/Breadcrumbs.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../../ui/Table.tsx'

const AddKeyForm = later(() => import('./SigningKeyForms.tsx').then((file) => file.AddKeyForm))
const RenameKeyForm = later(() => import('./SigningKeyForms.tsx').then((file) => file.RenameKeyForm))

const way = [{ label: 'Registry', to: '/registry' }]
const kinds = { 'ecdsa-p256': 'ECDSA P-256', ed25519: 'Ed25519', rsa: 'RSA' } as const

const columns: Column<SigningKey>[] = [
  {
    id: 'name',
    header: 'Key',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ name, kind }) => <TwoLines first={<span className="font-medium">{name}</span>} second={kinds[kind]} />,
  },
  {
    id: 'fingerprint',
    header: 'Fingerprint, SHA-256',
    width: 260,
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ fingerprint }) => <CopyText text={fingerprint} label="fingerprint" max={28} />,
  },
  {
    id: 'added',
    header: 'Added',
    width: 200,
    shape: 'two',
    list: 'below',
    listHead: true,
    drop: 3,
    cell: ({ created_at, created_by }) => <TwoLines first={<RelativeTime at={created_at} />} second={created_by} />,
  },
]

type Doing = { what: 'add' } | { what: 'rename' | 'remove'; key: SigningKey }

/** Public keys whose signatures of images the account trusts. */
export default function SigningKeysScreen() {
  const { data, error, refetch } = useQuery(q(listSigningKeys, {}))
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const first = { icon: Plus, operation: addSigningKey, onClick: () => setDoing({ what: 'add' }) } as const
  return (
    <>
      <Banner
        title="Signing keys"
        subtitle="Signatures of images are verified with these public keys. A signature by any other key counts as none."
        crumbs={<Breadcrumbs way={way} here="Signing keys" named />}
        end={
          <ActionButton {...first} color="primary-solid">
            Add signing key
          </ActionButton>
        }
      />
      {error && !data ? (
        <ErrorState title="Signing keys could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <div className="rounded-lg border border-line">
          <EmptyState icon={KeyRound} title="No data found" actions={<ActionButton {...first}>Add signing key</ActionButton>}>
            Add the public key of your build, as <span className="mono">cosign generate-key-pair</span> writes it to{' '}
            <span className="mono">cosign.pub</span>. Each tag then says whether its image is signed with it.
          </EmptyState>
        </div>
      ) : (
        <TableFrame>
          <Table
            label="Signing keys"
            columns={columns}
            rows={data?.items}
            rowId={({ id }) => id}
            skeletonRows={4}
            more={(key) => (
              <Menu
                label={`Actions for ${key.name}`}
                align="end"
                trigger={<IconButton label={`Actions for ${key.name}`} icon={Ellipsis} size="small" />}
                items={[
                  {
                    label: 'Rename',
                    icon: Pencil,
                    onSelect: () => setDoing({ what: 'rename', key }),
                    disabled: denied(renameSigningKey),
                  },
                  {
                    label: 'Remove',
                    icon: Trash2,
                    danger: true,
                    onSelect: () => setDoing({ what: 'remove', key }),
                    disabled: denied(removeSigningKey),
                  },
                ]}
              />
            )}
          />
        </TableFrame>
      )}
      {doing?.what === 'add' && <AddKeyForm onClose={close} />}
      {doing?.what === 'rename' && <RenameKeyForm signingKey={doing.key} onClose={close} />}
      {doing?.what === 'remove' && (
        <ConfirmCall
          onClose={close}
          operation={removeSigningKey}
          input={{ params: { signing_key_id: doing.key.id } }}
          title={`Remove the signing key ${doing.key.name}?`}
          confirm="Remove signing key"
          color="danger"
          done="Removed the signing key"
        >
          Images that are signed with it alone count as not verified from now on. Their signatures stay, and count again when the key is
          added again.
        </ConfirmCall>
      )}
    </>
  )
}
