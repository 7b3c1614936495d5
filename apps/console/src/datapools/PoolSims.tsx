import { blockCodes } from '@masthead/contract/assets/sim'
import { addPoolAssets, listPoolSims, removePoolAssets, type PoolDetails } from '@masthead/contract/datapools/operations'
import type { PoolSim } from '@masthead/contract/datapools/pool'
import { formatDay } from '@masthead/contract/kernel/time'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { Bytes } from '../kit/Bytes.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { AddAssets } from './AddAssets.tsx'

const columns: Column<PoolSim>[] = [
  {
    id: 'name',
    header: 'Asset',
    sort: 'name',
    list: 'title',
    shape: 'two',
    cell: ({ asset_id, asset_name, iccid }) => (
      <TwoLines
        first={
          <Link to={`/assets/${asset_id}`} className="font-medium">
            {asset_name}
          </Link>
        }
        second={<span className="mono">{iccid}</span>}
      />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 170,
    list: 'below',
    shape: 'two',
    cell: ({ status, blocks }) => (
      <TwoLines
        first={<StatusDot status={status} />}
        second={blocks.length > 0 ? <span className="text-bad-fg">{blocks.map((code) => blockCodes[code]).join(', ')}</span> : null}
      />
    ),
  },
  {
    id: 'bytes',
    header: 'Used',
    sort: 'bytes',
    width: 130,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ bytes, overage_bytes }) => (
      <TwoLines
        first={<Bytes of={bytes} />}
        second={
          overage_bytes > 0 ? (
            <>
              <Bytes of={overage_bytes} /> over
            </>
          ) : (
            ''
          )
        }
      />
    ),
  },
  {
    id: 'by',
    header: 'Because of',
    width: 130,
    list: 'below',
    listHead: true,
    cell: ({ by_tag, left_at }) =>
      left_at ? `Left on ${formatDay(left_at)}` : by_tag === null ? 'Added directly' : `By its tag ${by_tag}`,
  },
]

/** The SIMs that draw from a pool, or used its data and left it since, those that used the most first. */
export function PoolSims({ pool }: { pool: PoolDetails }) {
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<PoolSim | null>(null)
  return (
    <>
      <QueryTable
        operation={listPoolSims}
        input={{ params: { pool_id: pool.id } }}
        label="SIMs"
        prefix="sim_"
        search="Name or ICCID"
        defaultSort="-bytes"
        columns={columns}
        rowId={(row) => row.sim_id}
        rowName={(row) => row.asset_name}
        rowActions={(row) => [
          {
            label: 'Take out of the pool',
            icon: X,
            danger: true,
            disabled: row.left_at
              ? 'It has left the pool'
              : row.by_asset
                ? null
                : `The tag ${row.by_tag} brings it here: change the tags of the pool, or of the asset`,
            onSelect: () => setLeaving(row),
          },
        ]}
        actions={
          <ActionButton
            operation={addPoolAssets}
            icon={Plus}
            size="small"
            disabled={pool.state === 'ended' ? 'This data pool has ended' : null}
            onClick={() => setAdding(true)}
          >
            Add assets
          </ActionButton>
        }
        empty={<EmptyState title="No data found">No SIM draws from this pool. Add assets, or choose tags in its settings.</EmptyState>}
      />
      {adding && <AddAssets pool={pool} onClose={() => setAdding(false)} />}
      {leaving && (
        <ConfirmCall
          operation={removePoolAssets}
          input={{ params: { pool_id: pool.id }, body: { assets: [leaving.asset_id] } }}
          title={`Take ${leaving.asset_name} out of ${pool.name}?`}
          confirm="Take out"
          color="danger"
          done={`${leaving.asset_name} no longer draws from ${pool.name}`}
          onClose={() => setLeaving(null)}
        >
          What it used stays counted. From now on its data comes from its other pools, or from none.
        </ConfirmCall>
      )}
    </>
  )
}
