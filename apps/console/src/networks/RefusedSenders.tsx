import { listRefusedSenders, type RefusedKind, type RefusedSender } from '@masthead/contract/backoffice/refused-sender-operations'
import { KeyRound, Plus, ShieldCheck } from 'lucide-react'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'

const kinds: Record<RefusedKind, string> = {
  unknown_address: 'Unknown address',
  wrong_secret: 'Wrong secret',
  message_authenticator: 'Missing or wrong Message-Authenticator',
  malformed: 'Malformed or sent to the wrong port',
}

const about = ({ kind, gateway }: RefusedSender) => {
  if (gateway?.disabled) return `${gateway.name} is switched off`
  if (kind === 'unknown_address') return gateway ? `${gateway.name} has it now` : 'No gateway has it'
  return gateway ? gateway.name : 'Its gateway is gone'
}

const columns: Column<RefusedSender>[] = [
  {
    id: 'address',
    header: 'Address',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (row) => <TwoLines first={<CopyText text={row.address} label="address" max={40} />} second={about(row)} />,
  },
  { id: 'kind', header: 'Why', width: 300, list: 'below', cell: ({ kind }) => kinds[kind] },
  {
    id: 'packets',
    header: 'Dropped',
    width: 140,
    numeric: true,
    list: 'below',
    cell: ({ packets }) => `${packets.toLocaleString('en')} ${packets === 1 ? 'packet' : 'packets'}`,
  },
  { id: 'first', header: 'First', width: 120, numeric: true, drop: 1, cell: ({ first_at }) => <RelativeTime at={first_at} /> },
  { id: 'last', header: 'Last', width: 120, numeric: true, list: 'aside', cell: ({ last_at }) => <RelativeTime at={last_at} /> },
]
const filters: Filter[] = [{ key: 'kind', label: 'Why', options: Object.entries(kinds).map(([value, label]) => ({ value, label })) }]

/** Who sends RADIUS and gets no answer. `onAdd`: its address is to be a gateway's; `onOpen`: the gateway that has it. */
export const RefusedSenders = ({ onAdd, onOpen }: { onAdd: (address: string) => void; onOpen: (gateway_id: string) => void }) => (
  <QueryTable
    operation={listRefusedSenders}
    again={() => 15_000}
    label="Refused senders"
    columns={columns}
    rowId={({ address, kind }) => `${address} ${kind}`}
    rowName={({ address }) => address}
    rowActions={({ address, gateway }) => [
      {
        label: 'Add as gateway',
        icon: Plus,
        disabled: gateway ? `${gateway.name} has this address` : null,
        onSelect: () => onAdd(address),
      },
      {
        label: 'Addresses and secrets',
        icon: KeyRound,
        disabled: gateway ? null : 'No gateway has this address',
        onSelect: () => gateway && onOpen(gateway.id),
      },
    ]}
    filters={filters}
    search="Start of an address"
    empty={
      <EmptyState icon={ShieldCheck} title="No data found">
        No sender was refused. A sender whose RADIUS packets come from an unknown address, have a wrong secret or are malformed gets no
        answer and is listed here. The latest 1,000 are kept.
      </EmptyState>
    }
  />
)
