import { formatBytes } from '@masthead/contract/usage/bytes'
import { statuses, type Status } from '../ui/status.ts'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'

export type Sample = { id: string; name: string; iccid: string; status: Status; bytes: number; country: string }

const things = ['reefer-truck', 'kiosk-lyon', 'meter-warsaw', 'cam-gantry', 'port-antwerp', 'depot-rotterdam', 'buoy-kiel']
const countries = ['NL', 'FR', 'PL', 'DE', 'BE', 'SE', 'NO', 'ES']
const some: Status[] = ['active', 'active', 'active', 'inactive', 'blocked', 'ready', 'standby']

/** Rows that are the same each time. */
export const samples = (count: number): Sample[] =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    name: `${things[at % things.length]}-${String(at + 1).padStart(4, '0')}`,
    iccid: `89310820170${String(44_306_770 + at * 7).padStart(8, '0')}`,
    status: some[(at * 5 + Math.floor(at / 7)) % some.length]!,
    bytes: Math.round(Math.abs(Math.sin(at + 1)) * 1.2e9),
    country: countries[(at * 3) % countries.length]!,
  }))

export const sampleColumns: Column<Sample>[] = [
  {
    id: 'name',
    header: 'Asset',
    sort: 'name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (row) => <TwoLines first={row.name} second={<span className="mono">{row.iccid}</span>} />,
    csv: (row) => row.name,
  },
  {
    id: 'status',
    header: 'SIM status',
    width: 136,
    list: 'aside',
    cell: (row) => <StatusDot status={row.status} />,
    csv: (row) => statuses[row.status].label,
  },
  { id: 'country', header: 'Country', width: 104, drop: 2, sort: 'country', cell: (row) => row.country, csv: (row) => row.country },
  {
    id: 'usage',
    header: 'Usage',
    width: 112,
    numeric: true,
    sort: 'bytes',
    descendingFirst: true,
    list: 'below',
    cell: (row) => formatBytes(row.bytes),
    csv: (row) => row.bytes,
  },
]

/** One line in each cell, as the table of very many rows wants it. */
export const windowedColumns: Column<Sample>[] = [
  { id: 'name', header: 'Asset', sort: 'name', cell: (row) => row.name },
  { id: 'iccid', header: 'ICCID', width: 190, cell: (row) => <span className="mono">{row.iccid}</span> },
  { id: 'status', header: 'SIM status', width: 130, cell: (row) => <StatusDot status={row.status} /> },
  { id: 'country', header: 'Country', width: 90, cell: (row) => row.country },
  { id: 'usage', header: 'Usage', width: 110, numeric: true, sort: 'bytes', descendingFirst: true, cell: (row) => formatBytes(row.bytes) },
]

/** Rows in an order: `-bytes` is the largest first. */
export function sorted(rows: readonly Sample[], sort: string): Sample[] {
  const key = sort.replace('-', '') as keyof Sample
  const order = rows.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
  return sort.startsWith('-') ? order.reverse() : order
}
