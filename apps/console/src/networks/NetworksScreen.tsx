import { listOperators, type Operator } from '@masthead/contract/backoffice/network-operations'
import { technologies } from '@masthead/contract/networks/network'
import { Pencil, RadioTower, Upload } from 'lucide-react'
import { useState } from 'react'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { Button } from '../ui/Button.tsx'
import { countryName } from '../ui/country-name.ts'
import { dayWords } from '../ui/DateField.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { dollars } from './dollars.ts'
import { ImportNetworks } from './ImportNetworks.tsx'
import { NetworkSheet } from './NetworkSheet.tsx'
import { BackofficeEnd } from '../backoffice/index.ts'

const columns = (onOpen: (row: Operator) => void): Column<Operator>[] => [
  {
    id: 'name',
    header: 'Operator',
    sort: 'name',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (row) => (
      <TwoLines
        first={
          <button type="button" className="max-w-full truncate font-medium hover:underline" onClick={() => onOpen(row)}>
            {row.name}
          </button>
        }
        second={row.notes || undefined}
      />
    ),
  },
  {
    id: 'mccmnc',
    header: 'MCC-MNC',
    width: 100,
    sort: 'mccmnc',
    list: 'below',
    cell: ({ mccmnc }) => <span className="mono">{mccmnc}</span>,
  },
  {
    id: 'country',
    header: 'Country',
    width: 150,
    sort: 'country',
    list: 'below',
    cell: ({ country }) => <span className="truncate">{countryName(country)}</span>,
  },
  {
    id: 'rats',
    header: 'RATs',
    width: 170,
    drop: 1,
    cell: (row) => <span className="truncate text-xs">{row.rats.join(', ') || '—'}</span>,
  },
  {
    id: 'price',
    header: 'Cost and price per MB',
    width: 180,
    sort: 'price',
    descendingFirst: true,
    numeric: true,
    list: 'below',
    shape: 'two',
    cell: ({ rate, next_rate }) => (
      <TwoLines
        first={rate ? `$${dollars(rate.cost_micros)} → $${dollars(rate.price_micros)}` : <span className="text-fg-3">No rate</span>}
        second={next_rate ? `$${dollars(next_rate.price_micros)} from ${dayWords(next_rate.effective_from)}` : rate?.zone}
      />
    ),
  },
  {
    id: 'active',
    header: 'State',
    width: 110,
    drop: 2,
    list: 'aside',
    cell: ({ active }) => <StatusDot status={active ? 'active' : 'inactive'} label={active ? 'In use' : 'Not used'} />,
  },
]
const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]
const filters: Filter[] = [
  { key: 'rat', label: 'RAT', multiple: true, options: Object.keys(technologies).map((value) => ({ value, label: value })) },
  { key: 'active', label: 'State', options: yesNo('In use', 'Not used') },
  { key: 'priced', label: 'Rate', options: yesNo('Has a rate', 'Has none') },
]

/** The networks of the world, with what their traffic costs us and the customer. */
export default function NetworksScreen() {
  const [open, setOpen] = useState<Operator | null>(null)
  const [importing, setImporting] = useState(false)
  return (
    <>
      <BackofficeEnd>
        <Button color="primary-solid" icon={Upload} onClick={() => setImporting(true)}>
          Import CSV
        </Button>
      </BackofficeEnd>
      <QueryTable
        operation={listOperators}
        label="Networks"
        columns={columns(setOpen)}
        rowId={(row) => row.mccmnc}
        rowName={(row) => row.name}
        rowActions={(row) => [{ label: 'Change', icon: Pencil, onSelect: () => setOpen(row) }]}
        filters={filters}
        search="Name, MCC-MNC, zone"
        defaultSort="-price"
        remember="masa-networks"
        empty={<EmptyState icon={RadioTower} title="No data found" />}
      />
      {open && <NetworkSheet key={open.mccmnc} mccmnc={open.mccmnc} network={open} onClose={() => setOpen(null)} />}
      {importing && <ImportNetworks onClose={() => setImporting(false)} />}
    </>
  )
}
