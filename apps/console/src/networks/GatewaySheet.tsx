import type { Gateway, GatewayAddress } from '@masthead/contract/backoffice/gateway-operations'
import { KeyRound, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import type { GatewayDialog } from './GatewayDialogs.tsx'

const columns: Column<GatewayAddress>[] = [
  {
    id: 'address',
    header: 'Address',
    list: 'title',
    shape: 'two',
    cell: ({ address, coa_port, legacy }) => (
      <TwoLines
        first={<CopyText text={address} label="address" max={40} />}
        second={legacy ? <StatusDot status="warning" label={`Legacy, CoA port ${coa_port}`} className="text-xs" /> : `CoA port ${coa_port}`}
      />
    ),
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: 120,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ heard_at, packets }) => (
      <TwoLines
        first={heard_at ? <RelativeTime at={heard_at} /> : 'Never seen'}
        second={`${packets.toLocaleString('en')} ${packets === 1 ? 'packet' : 'packets'}`}
      />
    ),
  },
  {
    id: 'secret',
    header: 'Secret',
    width: 150,
    list: 'below',
    cell: ({ secret_changed_at }) =>
      secret_changed_at ? (
        <span>
          Secret set <RelativeTime at={secret_changed_at} />
        </span>
      ) : (
        'Secret never changed'
      ),
  },
]

type Props = { gateway: Gateway | undefined; onChoose: (dialog: GatewayDialog) => void; onClose: () => void }

/** A gateway's addresses: each with a secret of its own. Undefined: the address of the screen names one that is not there. */
export const GatewaySheet = ({ gateway, onChoose, onClose }: Props) => (
  <Sheet
    open
    onClose={onClose}
    title={gateway?.name ?? 'Gateway not found'}
    note={gateway && 'Packets from any of its addresses belong to the same sessions'}
  >
    {gateway ? (
      <Addresses gateway={gateway} onChoose={onChoose} />
    ) : (
      <p className="text-fg-2">No gateway has this id. It was removed, or joined with another one.</p>
    )}
  </Sheet>
)

const Addresses = ({ gateway, onChoose }: { gateway: Gateway; onChoose: Props['onChoose'] }) => (
  <>
    <div className="rounded-lg border border-line">
      <PlainTable
        label={`Addresses of ${gateway.name}`}
        columns={columns}
        rows={gateway.addresses}
        rowId={(row) => row.id}
        more={(at) => (
          <Menu
            trigger={<IconButton label={`Actions for ${at.address}`} icon={MoreHorizontal} size="small" />}
            label="Actions"
            align="end"
            items={[
              { label: 'Change', icon: Pencil, onSelect: () => onChoose({ show: 'change-address', gateway, at }) },
              { label: 'New secret', icon: KeyRound, onSelect: () => onChoose({ show: 'rotate', gateway, at }) },
              {
                label: 'Remove',
                icon: Trash2,
                danger: true,
                disabled: gateway.addresses.length === 1 ? 'A gateway needs an address: add the other one first' : null,
                onSelect: () => onChoose({ show: 'remove-address', gateway, at }),
              },
            ]}
          />
        )}
      />
    </div>
    <Button icon={Plus} className="justify-self-start" onClick={() => onChoose({ show: 'add-address', gateway })}>
      Add address
    </Button>
  </>
)
