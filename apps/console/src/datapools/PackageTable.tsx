import { retirePackage } from '@masthead/contract/backoffice/pool-operations'
import { validityWords, type Package } from '@masthead/contract/datapools/package'
import { overageWords } from '@masthead/contract/datapools/pool'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Bytes } from '../kit/Bytes.tsx'
import { useDenied } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { priceWords, zoneWords } from './pool-words.ts'

const columns: Column<Package>[] = [
  {
    id: 'name',
    header: 'Package',
    list: 'title',
    shape: 'two',
    cell: (row) => <TwoLines first={<span className="font-medium">{row.name}</span>} second={zoneWords(row)} />,
  },
  {
    id: 'size',
    header: 'Size',
    width: 140,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ kind, size_bytes, validity }) => (
      <TwoLines first={<Bytes of={size_bytes} />} second={`${kind === 'dynamic' ? 'per SIM, ' : ''}${validityWords(validity)}`} />
    ),
  },
  { id: 'price', header: 'Price', width: 150, numeric: true, list: 'below', cell: (row) => priceWords(row) },
  { id: 'after', header: 'After it', width: 170, drop: 2, cell: (row) => overageWords(row) },
  { id: 'pools', header: 'Pools', width: 80, numeric: true, drop: 1, cell: ({ pools }) => pools.toLocaleString('en') },
  {
    id: 'state',
    header: 'State',
    width: 110,
    list: 'below',
    drop: 3,
    cell: ({ retired_at }) =>
      retired_at ? (
        <Badge tone="idle" shape="cross">
          Retired
        </Badge>
      ) : (
        <Badge tone="ok" shape="disc">
          Offered
        </Badge>
      ),
  },
]

/** All packages, those that are offered first. */
export function PackageTable({ packages }: { packages: Package[] | undefined }) {
  const [retiring, setRetiring] = useState<Package | null>(null)
  const denied = useDenied()(retirePackage)
  return (
    <TableFrame>
      <Table
        label="Packages"
        columns={columns}
        rows={packages}
        skeletonRows={4}
        rowId={(row) => row.id}
        more={(row) => (
          <Menu
            trigger={<IconButton label={`Actions for ${row.name}`} icon={MoreHorizontal} size="small" />}
            label="Actions"
            align="end"
            items={[
              {
                label: 'Retire',
                danger: true,
                disabled: denied ?? (row.retired_at ? 'It is retired' : null),
                onSelect: () => setRetiring(row),
              },
            ]}
          />
        )}
        empty={
          <EmptyState title="No data found">A package says how much data a pool has, for how long, and what comes after it.</EmptyState>
        }
      />
      {packages && <TableFoot words={showingWords(1, packages.length, packages.length, false)} />}
      {retiring && (
        <ConfirmCall
          operation={retirePackage}
          input={{ params: { package_id: retiring.id } }}
          title={`Retire ${retiring.name}?`}
          confirm="Retire"
          color="danger"
          done={`${retiring.name} is retired`}
          onClose={() => setRetiring(null)}
        >
          Nobody can open a pool of it any more. Pools that run renew with what they were opened with.
        </ConfirmCall>
      )}
    </TableFrame>
  )
}
