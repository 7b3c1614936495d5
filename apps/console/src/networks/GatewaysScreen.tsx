import { useQuery } from '@tanstack/react-query'
import { listGateways, type Gateway } from '@masthead/contract/backoffice/gateway-operations'
import { Combine, KeyRound, MoreHorizontal, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { BesideLink } from '../kit/BesideLink.tsx'
import { senderSeen, senderState } from '../kit/sender-columns.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { GatewayDialogs, type GatewayDialog } from './GatewayDialogs.tsx'
import { GatewaySheet } from './GatewaySheet.tsx'
import { RefusedSenders } from './RefusedSenders.tsx'
import { BackofficeEnd } from '../backoffice/index.ts'

const isLegacy = ({ addresses }: Gateway) => addresses.some(({ legacy }) => legacy)

const columns: Column<Gateway>[] = [
  {
    id: 'name',
    header: 'Gateway',
    list: 'title',
    shape: 'two',
    cell: (gateway) => (
      <TwoLines
        first={
          <BesideLink name="gateway" value={gateway.id}>
            <span className="font-medium">{gateway.name}</span>
          </BesideLink>
        }
        second={
          gateway.addresses.length === 1 ? (
            <span className="mono">{gateway.addresses[0]!.address}</span>
          ) : (
            `${gateway.addresses.length} addresses`
          )
        }
      />
    ),
  },
  senderState,
  senderSeen,
  { id: 'packets', header: 'Packets', width: 110, numeric: true, drop: 1, cell: ({ packets }) => packets.toLocaleString('en') },
  {
    id: 'sessions',
    header: 'Open sessions',
    width: 120,
    numeric: true,
    drop: 2,
    cell: ({ open_sessions }) => open_sessions.toLocaleString('en'),
  },
]

const tabs = [
  { id: 'gateways', label: 'Gateways' },
  { id: 'refused', label: 'Refused senders' },
] as const
type TabId = (typeof tabs)[number]['id']
const defaults = { tab: 'gateways', gateway: '' }

/** The RADIUS clients that may report, and who tried to. */
export default function GatewaysScreen() {
  const [place, change] = useAddressState(defaults)
  const tab: TabId = place.tab === 'refused' ? 'refused' : 'gateways'
  const { data, error, refetch } = useQuery({ ...q(listGateways, {}), refetchInterval: 15_000 })
  const [dialog, setDialog] = useState<GatewayDialog | null>(null)
  const open = (gateway: string) => change({ gateway }, { push: true })
  const add = (address?: string) => setDialog({ show: 'add', ...(address && { address }) })
  return (
    <>
      <BackofficeEnd>
        <Button color="primary-solid" icon={Plus} onClick={() => add()}>
          Add gateway
        </Button>
      </BackofficeEnd>
      <Tabs<TabId> label="Senders" current={tab} onChange={(id) => change({ tab: id, gateway: '' }, { push: true })} tabs={tabs} />
      <TabPanel id={tab}>
        {tab === 'refused' ? (
          <RefusedSenders onAdd={add} onOpen={open} />
        ) : (
          <>
            <LegacyNotice gateways={data?.items ?? []} />
            <TableFrame>
              {error && !data ? (
                <ErrorState title="The gateways could not be loaded" failure={error} onRetry={() => void refetch()} />
              ) : (
                <Table
                  label="Gateways"
                  columns={columns}
                  rows={data?.items}
                  skeletonRows={4}
                  rowId={(row) => row.id}
                  more={(gateway) => (
                    <Actions gateway={gateway} all={data?.items ?? []} onOpen={() => open(gateway.id)} onChoose={setDialog} />
                  )}
                  empty={
                    <EmptyState title="No data found" actions={<Button onClick={() => add()}>Add gateway</Button>}>
                      A gateway reports the sessions of SIMs by RADIUS. Without one nothing is metered.
                    </EmptyState>
                  }
                />
              )}
              {data && <TableFoot words={showingWords(1, data.items.length, data.items.length, false)} />}
            </TableFrame>
          </>
        )}
      </TabPanel>
      {place.gateway !== '' && data && (
        <GatewaySheet gateway={data.items.find(({ id }) => id === place.gateway)} onChoose={setDialog} onClose={() => open('')} />
      )}
      {dialog && <GatewayDialogs dialog={dialog} onChange={setDialog} />}
    </>
  )
}

function LegacyNotice({ gateways }: { gateways: readonly Gateway[] }) {
  const legacy = gateways.filter((gateway) => isLegacy(gateway) && gateway.state !== 'disabled')
  if (legacy.length === 0) return null
  return (
    <div className="pb-4">
      <Notice tone="warn">
        {legacy.map(({ name }) => name).join(', ')} may send requests without Message-Authenticator, which can be forged on the network path
        (<span className="whitespace-nowrap">CVE-2024-3596</span>). Switch Message-Authenticator on at the gateway, then open it here and
        clear “Legacy” on its address.
      </Notice>
    </div>
  )
}

type ActionsProps = { gateway: Gateway; all: readonly Gateway[]; onOpen: () => void; onChoose: (dialog: GatewayDialog) => void }

function Actions({ gateway, all, onOpen, onChoose }: ActionsProps) {
  const off = gateway.state === 'disabled'
  const others = all.filter(({ id, state }) => id !== gateway.id && state !== 'disabled')
  return (
    <Menu
      trigger={<IconButton label={`Actions for ${gateway.name}`} icon={MoreHorizontal} size="small" />}
      label="Actions"
      align="end"
      items={[
        { label: 'Addresses and secrets', icon: KeyRound, onSelect: onOpen },
        {
          label: 'Join with another gateway',
          icon: Combine,
          disabled: off ? 'It is switched off' : others.length === 0 ? 'There is no other gateway that is switched on' : null,
          onSelect: () => onChoose({ show: 'join', gateway, others }),
        },
        { label: 'Rename', icon: Pencil, onSelect: () => onChoose({ show: 'rename', gateway }) },
        off
          ? { label: 'Switch on', icon: Power, onSelect: () => onChoose({ show: 'switch', gateway }) }
          : { label: 'Switch off', icon: PowerOff, danger: true, onSelect: () => onChoose({ show: 'switch', gateway }) },
        {
          label: 'Remove',
          icon: Trash2,
          danger: true,
          disabled: gateway.packets > 0 ? 'It has reported sessions: switch it off instead' : null,
          onSelect: () => onChoose({ show: 'remove', gateway }),
        },
      ]}
    />
  )
}
