import { useQuery } from '@tanstack/react-query'
import {
  brokerRefusals,
  clientStates,
  cutBrokerClient,
  listBrokerClients,
  listBrokers,
  type Broker,
  type BrokerClient,
} from '@masthead/contract/backoffice/broker-operations'
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { BackofficeEnd, ReasonModal } from '../backoffice/index.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Fact, Facts, Frame, Panel, Stat } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'

const kinds = { core: 'CORE device', agent: 'Our agent' } as const
const count = (value: number) => value.toLocaleString('en')

const stateOf = ({ cut_at, online }: BrokerClient) =>
  cut_at
    ? ({ status: 'failed', label: clientStates.cut } as const)
    : online
      ? ({ status: 'online', label: clientStates.online } as const)
      : ({ status: 'offline', label: clientStates.offline } as const)

const columns: Column<BrokerClient>[] = [
  {
    id: 'asset',
    header: 'Device',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (row) => (
      <TwoLines
        first={
          <CellLink to={`/masa/assets/${row.asset_id}/alpon`}>
            <span className="font-medium">{row.asset_name}</span>
          </CellLink>
        }
        second={row.account}
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 150,
    shape: 'two',
    list: 'aside',
    cell: (row) => <TwoLines first={<StatusDot {...stateOf(row)} />} second={row.cut_at ? `by ${row.cut_by}` : kinds[row.kind]} />,
  },
  { id: 'since', header: 'Since', width: 120, numeric: true, drop: 1, cell: (row) => <RelativeTime at={row.cut_at ?? row.since} /> },
  {
    id: 'seen',
    header: 'Last seen',
    width: 120,
    numeric: true,
    list: 'below',
    listHead: true,
    cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} />,
  },
  { id: 'ip', header: 'Address', width: 150, drop: 2, cell: ({ ip }) => <CopyText text={ip} label="IP address" max={40} /> },
  { id: 'broker', header: 'Broker', width: 150, drop: 3, cell: ({ broker }) => broker ?? '—' },
]
const filters: Filter[] = [
  { key: 'state', label: 'State', options: Object.entries(clientStates).map(([value, label]) => ({ value, label })) },
]

/** The brokers, what they count and refuse, and the devices of all accounts. */
export default function BrokerScreen() {
  const { data, error, refetch } = useQuery({ ...q(listBrokers, {}), refetchInterval: 5000 })
  const [cutting, setCutting] = useState<BrokerClient | null>(null)
  const denied = useDenied()
  return (
    <div className="grid gap-5">
      <BackofficeEnd />
      {error && !data ? (
        <ErrorState title="The brokers could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : data.items.length === 0 ? (
        <Panel flush>
          <EmptyState icon={Unplug} title="No broker runs">
            Devices cannot connect until the role broker is started.
          </EmptyState>
        </Panel>
      ) : (
        data.items.map((broker) => <BrokerPanel key={broker.name} broker={broker} />)
      )}
      <QueryTable
        operation={listBrokerClients}
        again={() => 15_000}
        label="Devices"
        columns={columns}
        filters={filters}
        search="Name, id or address"
        rowId={({ device_id }) => device_id}
        rowName={({ asset_name }) => asset_name}
        rowActions={(row) => [
          {
            label: 'Cut off',
            icon: Unplug,
            danger: true,
            disabled: denied(cutBrokerClient) ?? (row.cut_at ? 'It is cut off already' : null),
            onSelect: () => setCutting(row),
          },
        ]}
        empty={
          <EmptyState title="No data found" icon={Unplug}>
            No device of any account has credentials for the broker.
          </EmptyState>
        }
      />
      {cutting && (
        <ReasonModal
          open
          onClose={() => setCutting(null)}
          title={`Cut off ${cutting.asset_name}`}
          operation={cutBrokerClient}
          params={{ any_device_id: cutting.device_id }}
          submit="Cut off"
          color="danger"
        >
          <p>Its connection ends and it is refused from then on. The customer lets it in again with new credentials or a new claim code.</p>
        </ReasonModal>
      )}
    </div>
  )
}

function BrokerPanel({ broker }: { broker: Broker }) {
  const { name, started_at, seen_at, clients, connections, messages, sent, stored, refusals } = broker
  return (
    <Panel
      title={name}
      note={
        <>
          started <RelativeTime at={started_at} />, last seen <RelativeTime at={seen_at} />
        </>
      }
    >
      <div className="grid gap-4">
        <Frame className="grid-cols-2 @md:grid-cols-5">
          <Cell>
            <Stat label="Connected" value={count(clients)} />
          </Cell>
          <Cell>
            <Stat label="Sign-ins" value={count(connections)} />
          </Cell>
          <Cell>
            <Stat label="Messages in" value={count(messages)} />
          </Cell>
          <Cell>
            <Stat label="Messages out" value={count(sent)} />
          </Cell>
          <Cell className="col-span-2 @md:col-span-1">
            <Stat label="Reports stored" value={count(stored)} />
          </Cell>
        </Frame>
        <div>
          <h3 className="font-medium">Refused</h3>
          {refusals.length === 0 ? (
            <p className="text-fg-3">Nothing was refused since it started.</p>
          ) : (
            <Facts>
              {refusals.map(({ why, count: times }) => (
                <Fact key={why} label={brokerRefusals[why as keyof typeof brokerRefusals] ?? why}>
                  {count(times)}
                </Fact>
              ))}
            </Facts>
          )}
        </div>
      </div>
    </Panel>
  )
}
