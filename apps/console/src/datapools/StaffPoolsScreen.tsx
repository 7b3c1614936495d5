import { useQuery } from '@tanstack/react-query'
import {
  createPackage,
  endPool,
  growPool,
  listAllPackages,
  listCustomerPools,
  openPool,
  type CustomerPool,
} from '@masthead/contract/backoffice/pool-operations'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { BackofficeEnd } from '../backoffice/index.ts'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Bytes } from '../kit/Bytes.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { TableFrame, TwoLines, type Column } from '../ui/Table.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { CreatePackage, EndPool, GrowPool, OpenPool } from './StaffPoolForms.tsx'
import { PackageTable } from './PackageTable.tsx'
import { poolLook, zoneWords } from './pool-words.ts'

const columns: Column<CustomerPool>[] = [
  {
    id: 'pool',
    header: 'Pool',
    list: 'title',
    shape: 'two',
    cell: (pool) => <TwoLines first={<span className="font-medium">{pool.name}</span>} second={zoneWords(pool)} />,
  },
  {
    id: 'account',
    header: 'Account',
    list: 'below',
    shape: 'two',
    cell: ({ account_email, team_name }) => (
      <TwoLines first={<Link to={`/masa/accounts/${encodeURIComponent(account_email)}`}>{team_name}</Link>} second={account_email} />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 130,
    list: 'aside',
    cell: (pool) => {
      const { label, tone, shape } = poolLook(pool)
      return (
        <Badge tone={tone} shape={shape}>
          {label}
        </Badge>
      )
    },
  },
  {
    id: 'used',
    header: 'Used',
    width: 200,
    numeric: true,
    list: 'below',
    drop: 3,
    cell: ({ used_bytes, size_bytes, name, ...pool }) => (
      <span className="grid gap-1">
        <span className="text-xs">
          <Bytes of={used_bytes} /> of <Bytes of={size_bytes} />
        </span>
        <ProgressBar value={size_bytes === 0 ? 1 : used_bytes / size_bytes} label={`Used of ${name}`} tone={poolLook(pool).bar} />
      </span>
    ),
  },
  { id: 'sims', header: 'SIMs', width: 90, numeric: true, drop: 1, cell: ({ sims }) => sims.toLocaleString('en') },
]

const tabs = [
  { id: 'pools', label: 'Pools' },
  { id: 'packages', label: 'Packages' },
] as const
type TabId = (typeof tabs)[number]['id']
const defaults = { tab: 'pools' }
const filters = [
  {
    key: 'state',
    label: 'State',
    options: [
      { value: 'exhausted', label: 'Exhausted' },
      { value: 'ended', label: 'Ended' },
      { value: 'all', label: 'All' },
    ],
  },
] as const

type Dialog = { show: 'package' } | { show: 'open' } | { show: 'grow' | 'end'; pool: CustomerPool }

/** For staff: the packages that are offered, and the pools of every customer. */
export default function StaffPoolsScreen() {
  const [place, change] = useAddressState(defaults)
  const tab: TabId = place.tab === 'packages' ? 'packages' : 'pools'
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const packages = useQuery(q(listAllPackages, {}))
  const denied = useDenied()
  const close = () => setDialog(null)
  return (
    <>
      <BackofficeEnd>
        {tab === 'pools' ? (
          <ActionButton operation={openPool} color="primary-solid" icon={Plus} onClick={() => setDialog({ show: 'open' })}>
            Open pool
          </ActionButton>
        ) : (
          <ActionButton operation={createPackage} color="primary-solid" icon={Plus} onClick={() => setDialog({ show: 'package' })}>
            Create package
          </ActionButton>
        )}
      </BackofficeEnd>
      <Tabs<TabId> label="Data pools" current={tab} onChange={(id) => change({ tab: id }, { push: true })} tabs={tabs} />
      <TabPanel id={tab}>
        {tab === 'pools' ? (
          <QueryTable
            operation={listCustomerPools}
            label="Data pools"
            search="Pool, team or e-mail"
            columns={columns}
            filters={filters}
            rowId={(row) => row.id}
            rowName={(row) => row.name}
            rowActions={(pool) => [
              {
                label: 'Give more data',
                disabled: denied(growPool) ?? (pool.state === 'ended' ? 'It has ended' : null),
                onSelect: () => setDialog({ show: 'grow', pool }),
              },
              {
                label: 'End',
                danger: true,
                disabled: denied(endPool) ?? (pool.state === 'ended' ? 'It has ended' : null),
                onSelect: () => setDialog({ show: 'end', pool }),
              },
            ]}
            empty={
              <EmptyState title="No data found">
                No customer has a data pool. Create a package, then open a pool of it for a customer.
              </EmptyState>
            }
          />
        ) : packages.error && !packages.data ? (
          <TableFrame>
            <ErrorState title="The packages could not be loaded" failure={packages.error} onRetry={() => void packages.refetch()} />
          </TableFrame>
        ) : (
          <PackageTable packages={packages.data?.items} />
        )}
      </TabPanel>
      {dialog?.show === 'package' && <CreatePackage zones={packages.data?.zones ?? []} onClose={close} />}
      {dialog?.show === 'open' && <OpenPool packages={packages.data?.items ?? []} onClose={close} />}
      {dialog?.show === 'grow' && <GrowPool pool={dialog.pool} onClose={close} />}
      {dialog?.show === 'end' && <EndPool pool={dialog.pool} onClose={close} />}
    </>
  )
}
