import { useQuery } from '@tanstack/react-query'
import { listFeedDifferences, type FeedDifference } from '@masthead/contract/backoffice/feed-file-operations'
import type { Feed } from '@masthead/contract/backoffice/feed-operations'
import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { q } from '../api/query.ts'
import { Bytes } from '../kit/Bytes.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Frame, Stat } from '../ui/Panel.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Select } from '../ui/Select.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../ui/Table.tsx'

type Of = { reported_bytes: number; counted_bytes: number }
/** `+12 MB`: what the feed reported more than was counted. */
const differenceWords = ({ reported_bytes, counted_bytes }: Of) => {
  const more = reported_bytes - counted_bytes
  return more === 0 ? 'None' : `${more > 0 ? '+' : '−'}${formatSteadyBytes(Math.abs(more))}`
}

const columns: Column<FeedDifference>[] = [
  {
    id: 'asset',
    header: 'SIM',
    list: 'title',
    shape: 'two',
    cell: ({ asset_id, asset_name, iccid, account }) => (
      <TwoLines first={asset_id ? <CellLink to={`/masa/assets/${asset_id}`}>{asset_name ?? iccid}</CellLink> : iccid} second={account} />
    ),
  },
  { id: 'records', header: 'Records', width: 100, numeric: true, drop: 2, cell: ({ records }) => records.toLocaleString('en') },
  { id: 'reported', header: 'The feed reported', width: 150, numeric: true, drop: 1, cell: (row) => <Bytes of={row.reported_bytes} /> },
  { id: 'counted', header: 'Counted', width: 130, numeric: true, drop: 1, cell: (row) => <Bytes of={row.counted_bytes} /> },
  { id: 'difference', header: 'Difference', width: 130, numeric: true, list: 'aside', cell: differenceWords },
]

const periods = ['1', '7', '31'] as const
type Props = { feeds: readonly Feed[] | undefined; feed: string; days: string; onChange: (patch: { feed?: string; days?: string }) => void }

/** One feed counts for a SIM. What another one reports of the same days is shown beside it. */
export function Differences({ feeds, feed, days, onChange }: Props) {
  const chosen = feed || feeds?.[0]?.id || ''
  const period = periods.find((each) => each === days) ?? '7'
  const { data, error, refetch } = useQuery({
    ...q(listFeedDifferences, { params: { feed_id: chosen }, query: { days: Number(period) } }),
    enabled: chosen !== '',
  })
  const stat = (label: string, value: string | undefined) => (
    <Cell>
      <Stat label={label} value={value ?? '—'} loading={chosen !== '' && !data && !error} />
    </Cell>
  )
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Feed"
          placeholder="Choose a feed"
          options={(feeds ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen || null}
          onChange={(id) => onChange({ feed: id ?? '' })}
        />
        <Segmented
          label="Period"
          options={periods.map((value) => ({ value, label: value === '1' ? 'Yesterday' : `${value} days` }))}
          value={period}
          onChange={(value) => onChange({ days: value })}
        />
      </div>
      <Frame className="grid-cols-2 @sm:grid-cols-4">
        {stat('SIMs compared', data?.sims.toLocaleString('en'))}
        {stat('The feed reported', data && formatBytes(data.reported_bytes))}
        {stat('Counted', data && formatBytes(data.counted_bytes))}
        {stat('Difference', data && differenceWords(data))}
      </Frame>
      <TableFrame>
        {error && !data ? (
          <ErrorState title="The differences could not be loaded" failure={error} onRetry={() => void refetch()} />
        ) : (
          <Table
            label="Differences"
            columns={columns}
            rows={chosen === '' ? [] : data?.items}
            skeletonRows={6}
            rowId={(row) => `${row.account} ${row.iccid}`}
            empty={
              <EmptyState title="No data found">
                A feed is compared where a gateway reports of the same SIM, or another feed counts for it. On these days this one was not.
              </EmptyState>
            }
          />
        )}
      </TableFrame>
    </div>
  )
}
