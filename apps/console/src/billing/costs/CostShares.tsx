import { useQuery } from '@tanstack/react-query'
import { listCostShares } from '@masthead/contract/billing/cost-operations'
import type { BilledCosts, CostGrouping, CostShare } from '@masthead/contract/billing/cost'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { Bytes } from '../../kit/Bytes.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { money, monthName } from './cost-words.ts'

/** `nobody`: what belongs to none of them, and what that is. */
const ways: { value: CostGrouping; label: string; nobody: string; note?: string }[] = [
  { value: 'country', label: 'Country', nobody: 'No country', note: 'fees, and networks without one' },
  { value: 'zone', label: 'Zone', nobody: 'No zone', note: 'fees, and networks without a price' },
  { value: 'tag', label: 'Tag', nobody: 'Without a tag' },
  { value: 'group', label: 'Group', nobody: 'Default group' },
  { value: 'asset', label: 'Asset', nobody: 'SIMs that are gone' },
]

/** Where the costs of a month go: the hundred largest parts. */
export function CostShares({ costs }: { costs: BilledCosts }) {
  const [place, change] = useAddressState({ by: 'country' })
  const way = ways.find(({ value }) => value === place.by) ?? ways[0]!
  const { month } = costs
  const { data, error, refetch } = useQuery(q(listCostShares, { query: { month, by: way.value } }))
  return (
    <Panel
      title="Where it goes"
      flush
      className="overflow-clip"
      end={<Segmented label="By" options={ways} value={way.value} onChange={(by) => change({ by })} />}
    >
      {error && !data ? (
        <ErrorState title="The parts could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <PlainTable
          label="Where it goes"
          columns={columnsOf(costs, way, data?.items[0]?.micros ?? 0)}
          rows={data?.items}
          skeletonRows={5}
          rowId={({ id }) => id}
          empty={<EmptyState title="No data found">Nothing was charged in {monthName(month)}.</EmptyState>}
        />
      )}
    </Panel>
  )
}

function columnsOf({ currency, months }: BilledCosts, way: (typeof ways)[number], largest: number): Column<CostShare>[] {
  const name = ({ id, name: words }: CostShare) => words || (id === '' || id === 'default' ? way.nobody : 'Removed')
  return [
    {
      id: 'name',
      header: way.label,
      list: 'title',
      cell: (row) =>
        way.value === 'asset' && row.id !== '' ? (
          <Link to={`/assets/${row.id}`} className="truncate font-medium hover:underline">
            {name(row)}
          </Link>
        ) : way.note && row.id === '' ? (
          <TwoLines first={<span className="truncate font-medium">{name(row)}</span>} second={way.note} />
        ) : (
          <span className="truncate font-medium">{name(row)}</span>
        ),
    },
    {
      id: 'share',
      header: 'Share',
      width: 80,
      drop: 1,
      cell: (row) => <ProgressBar value={largest > 0 ? Math.max(0, row.micros) / largest : 0} label={`Share of ${name(row)}`} tone="ok" />,
    },
    { id: 'cost', header: 'Cost', width: 110, numeric: true, list: 'aside', cell: ({ micros }) => money(micros, currency) },
    {
      id: 'before',
      header: monthName(months.at(-2)!.month, 'short'),
      width: 110,
      numeric: true,
      drop: 2,
      list: 'below',
      listHead: true,
      cell: ({ before_micros }) => <span className="text-fg-3">{money(before_micros, currency)}</span>,
    },
    {
      id: 'data',
      header: 'Charged data',
      width: 110,
      numeric: true,
      list: 'below',
      listHead: true,
      drop: 3,
      cell: ({ bytes }) => <Bytes of={bytes} />,
    },
  ]
}
