import { useQuery } from '@tanstack/react-query'
import { getPackageCosts } from '@masthead/contract/billing/cost-operations'
import type { PackageCost } from '@masthead/contract/billing/package-cost'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { q } from '../../api/query.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../../ui/Table.tsx'
import { money, monthName } from './cost-words.ts'

/** What the data of a month would have cost on each package that can be bought; of the last whole month where none is given. */
export function PackageCosts({ month }: { month: string | null }) {
  const { data, error, refetch } = useQuery(q(getPackageCosts, { query: month === null ? {} : { month } }))
  const currency = data?.currency ?? 'USD'
  return (
    <Panel
      title="On another package"
      note={
        data &&
        `the data of ${monthName(data.month)} in place of your data pools: it cost ${money(data.charged_micros, currency)} for ${formatBytes(data.bytes)}`
      }
      flush
      className="overflow-clip"
    >
      {error && !data ? (
        <ErrorState title="The packages could not be compared" failure={error} onRetry={() => void refetch()} />
      ) : (
        <PlainTable
          label="On another package"
          columns={columnsOf(currency, data?.charged_micros ?? 0)}
          rows={data?.bytes === 0 ? [] : data?.items}
          skeletonRows={3}
          rowId={({ package_id }) => package_id}
          empty={
            <EmptyState title="No data found">
              {data?.bytes === 0
                ? `No SIM used data in ${monthName(data.month)}.`
                : 'No package that you can buy would have been enough, or none is offered.'}
            </EmptyState>
          }
        />
      )}
    </Panel>
  )
}

const columnsOf = (currency: string, charged: number): Column<PackageCost>[] => [
  {
    id: 'name',
    header: 'Package',
    list: 'title',
    shape: 'two',
    cell: ({ name, zone }) => (
      <TwoLines first={<span className="font-medium">{name}</span>} second={zone === null ? 'Everywhere' : `Zone ${zone}`} />
    ),
  },
  {
    id: 'price',
    header: 'Price a month',
    width: 170,
    numeric: true,
    list: 'below',
    drop: 2,
    shape: 'two',
    cell: ({ size_bytes, price_micros, kind, sims }) => (
      <TwoLines
        first={money(price_micros, currency)}
        second={`${formatBytes(size_bytes)}${kind === 'dynamic' ? ` of ${sims === 1 ? '1 SIM' : `${sims.toLocaleString('en')} SIMs`}` : ''}`}
      />
    ),
  },
  {
    id: 'beyond',
    header: 'Overage',
    width: 170,
    numeric: true,
    list: 'below',
    drop: 1,
    shape: 'two',
    cell: ({ beyond_bytes, stops }) => (
      <TwoLines
        first={beyond_bytes === 0 ? '—' : formatBytes(beyond_bytes)}
        second={stops ? <span className="text-bad-fg">SIMs would have stopped</span> : null}
      />
    ),
  },
  {
    id: 'would',
    header: 'Would have cost',
    width: 150,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ would_micros }) => <TwoLines first={money(would_micros, currency)} second={differenceOf(would_micros - charged, currency)} />,
  },
]

const differenceOf = (difference: number, currency: string) =>
  difference === 0 ? 'as much' : `${money(Math.abs(difference), currency)} ${difference < 0 ? 'less' : 'more'}`
