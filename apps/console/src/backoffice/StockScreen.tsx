import { assetTypes } from '@masthead/contract/assets/asset-types'
import { listStock, type Stock } from '@masthead/contract/backoffice/stock-operations'
import { ArrowLeftRight, PackagePlus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import type { BulkAction } from '../kit/selection.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import { LoadStock } from './LoadStock.tsx'
import { AssignStock, TransferStock } from './MoveStock.tsx'
import { BackofficeEnd } from './StayMark.tsx'

const looks = {
  free: { status: 'ready', label: 'Available' },
  reserved: { status: 'standby', label: 'Reserved' },
  handed_over: { status: 'standby', label: 'Handed over' },
  registered: { status: 'active', label: 'Registered' },
} as const

const columns: Column<Stock>[] = [
  {
    id: 'serial',
    header: 'Serial',
    sort: 'serial',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ serial, iccid }) => (
      <TwoLines
        first={<CopyText text={serial} label="serial number" />}
        second={iccid ? <span className="unbroken">{iccid}</span> : 'No SIM'}
      />
    ),
  },
  { id: 'type', header: 'Type', width: 216, drop: 2, cell: ({ type }) => <TypeBadge type={type} label={assetTypes[type]} /> },
  { id: 'state', header: 'State', width: 130, list: 'aside', cell: ({ state }) => <StatusDot {...looks[state]} /> },
  { id: 'imsi', header: 'IMSI', width: 170, drop: 1, cell: ({ imsis }) => <CopyText text={imsis[0]} label="IMSI" /> },
  {
    id: 'account',
    header: 'Account',
    width: 220,
    list: 'below',
    shape: 'two',
    cell: ({ account, asset_id, registered_at, reserved_for }) =>
      account ? (
        <TwoLines
          first={
            <CellLink to={asset_id ? `/masa/assets/${asset_id}` : `/masa/accounts/${encodeURIComponent(account)}`}>{account}</CellLink>
          }
          second={<RelativeTime at={registered_at} />}
        />
      ) : reserved_for ? (
        <TwoLines first={reserved_for} second="May register it" />
      ) : (
        <span className="not-in-list">—</span>
      ),
  },
  {
    id: 'loaded',
    header: 'Loaded',
    width: 130,
    sort: 'loaded_at',
    descendingFirst: true,
    numeric: true,
    drop: 1,
    cell: ({ loaded_at }) => <RelativeTime at={loaded_at} />,
  },
]
const filters: Filter[] = [
  { key: 'state', label: 'State', options: Object.entries(looks).map(([value, { label }]) => ({ value, label })) },
  { key: 'type', label: 'Type', multiple: true, options: Object.entries(assetTypes).map(([value, label]) => ({ value, label })) },
]

/** What may be registered, and to whom it was. */
export default function StockScreen() {
  const [loading, setLoading] = useState(false)
  const [moving, setMoving] = useState<{ rows: readonly Stock[]; done?: () => void } | null>(null)
  const [taking, setTaking] = useState<Stock | null>(null)
  const notFree = 'It is already registered to an account'
  const actions = (row: Stock): MenuItem[] => [
    { label: 'Assign to an account', icon: UserPlus, disabled: row.account ? notFree : null, onSelect: () => setMoving({ rows: [row] }) },
    {
      label: 'Transfer',
      icon: ArrowLeftRight,
      disabled: !row.account ? 'It is in stock: assign it instead' : null,
      onSelect: () => setTaking(row),
    },
  ]
  const bulk: BulkAction<Stock>[] = [
    {
      label: 'Assign',
      icon: UserPlus,
      disabled: (rows) => (rows.some((row) => row.account) ? 'Some of it is already registered to an account' : null),
      onSelect: (rows, done) => setMoving({ rows, done }),
    },
  ]
  return (
    <>
      <BackofficeEnd>
        <Button color="primary-solid" icon={PackagePlus} onClick={() => setLoading(true)}>
          Load stock
        </Button>
      </BackofficeEnd>
      <QueryTable
        operation={listStock}
        label="Stock"
        columns={columns}
        rowId={(row) => row.serial}
        rowName={(row) => row.serial}
        rowActions={actions}
        bulkActions={bulk}
        filters={filters}
        search="Serial, ICCID, IMSI, MSISDN"
        defaultSort="-loaded_at"
        remember="masa-stock"
        empty={
          <EmptyState title="No data found" actions={<Button onClick={() => setLoading(true)}>Load stock</Button>}>
            Stock is what customers can register. Load it from a CSV file.
          </EmptyState>
        }
      />
      {loading && <LoadStock onClose={() => setLoading(false)} />}
      {moving && <AssignStock rows={moving.rows} onClose={() => setMoving(null)} onDone={() => moving.done?.()} />}
      {taking && <TransferStock serial={taking.serial} from={taking.account ?? ''} onClose={() => setTaking(null)} />}
    </>
  )
}
