import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { UsageGroup } from '@masthead/contract/usage/operations'
import { usageGroupings, type UsageGrouping } from '@masthead/contract/usage/usage'
import { Link } from 'react-router'
import { alertShare } from '../kit/Bytes.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'

const percent = (share: number) => (share > 0 && share < 0.001 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`)

const asset: Column<UsageGroup> = {
  id: 'label',
  header: 'Asset',
  cell: ({ key, label, iccid }) => (
    <TwoLines
      first={
        key ? (
          <Link to={`/assets/${key}`} className="font-medium hover:underline">
            {label}
          </Link>
        ) : (
          <span className="text-fg-3">{label}</span>
        )
      }
      second={iccid && <span className="mono">{iccid}</span>}
    />
  ),
  fixed: true,
  list: 'title',
  shape: 'two',
}

const named = (grouping: UsageGrouping): Column<UsageGroup> => ({
  id: 'label',
  header: usageGroupings[grouping],
  cell: ({ key, label }) => (
    <TwoLines
      first={<span className={key ? 'font-medium' : 'text-fg-3'}>{label}</span>}
      second={grouping === 'network' && key && label !== key ? <span className="mono">{key}</span> : undefined}
    />
  ),
  fixed: true,
  list: 'title',
  shape: grouping === 'network' ? 'two' : 'one',
})

const bytes = (id: 'bytes_up' | 'bytes_down', header: string): Column<UsageGroup> => ({
  id,
  header,
  cell: (row) => formatSteadyBytes(row[id]),
  numeric: true,
  width: 96,
  drop: 3,
})

const total: Column<UsageGroup> = {
  id: 'bytes',
  header: 'Total',
  cell: (row) => <span className="font-medium">{formatSteadyBytes(row.bytes)}</span>,
  numeric: true,
  width: 104,
  list: 'aside',
}

const late: Column<UsageGroup> = {
  id: 'late',
  header: 'Reported late',
  cell: ({ late_bytes }) => (late_bytes > 0 ? formatSteadyBytes(late_bytes) : <span className="text-fg-3">—</span>),
  numeric: true,
  width: 104,
  drop: 3,
}

/** `largest` is the share of the largest group: bars compare with it, figures are of the whole. */
const share = (largest: number): Column<UsageGroup> => ({
  id: 'share',
  header: 'Share',
  cell: (row) => (
    <span className="limit-bar grid gap-[5px]">
      <span className="text-right text-xs tabular-nums">{percent(row.share)}</span>
      <ProgressBar
        value={largest > 0 ? Math.min(1, row.share / largest) : 0}
        tone="idle"
        size={3}
        label={`${row.label}, beside the largest`}
      />
    </span>
  ),
  numeric: true,
  width: 112,
  list: 'below',
  shape: 'bar',
})

const limit: Column<UsageGroup> = {
  id: 'limit',
  header: 'Of its limit',
  cell: ({ limit_share, label }) =>
    limit_share === null ? (
      <span className="text-fg-3">no limit</span>
    ) : (
      <span className="grid gap-[5px]">
        <span className="text-right text-xs tabular-nums">{percent(limit_share)}</span>
        <ProgressBar
          value={limit_share}
          threshold={alertShare}
          tone={limit_share >= 1 ? 'bad' : limit_share >= alertShare ? 'warn' : 'ok'}
          label={`Used of the monthly limit of ${label}`}
        />
      </span>
    ),
  numeric: true,
  width: 112,
  drop: 2,
  shape: 'bar',
}

const billed: Column<UsageGroup> = {
  id: 'billed',
  header: 'Billed',
  cell: ({ billed_bytes }) => (billed_bytes === null ? <span className="text-fg-3">—</span> : formatSteadyBytes(billed_bytes)),
  numeric: true,
  width: 96,
  drop: 3,
}

const sessions: Column<UsageGroup> = {
  id: 'sessions',
  header: 'Sessions',
  cell: (row) => row.sessions?.toLocaleString('en') ?? <span className="text-fg-3">—</span>,
  numeric: true,
  width: 88,
  drop: 1,
}

const sims: Column<UsageGroup> = {
  id: 'sims',
  header: 'SIMs',
  cell: (row) => row.sims.toLocaleString('en'),
  numeric: true,
  width: 72,
  drop: 2,
}

const countries: Column<UsageGroup> = {
  id: 'countries',
  header: 'Countries',
  cell: ({ countries: codes }) =>
    codes.length === 0 ? (
      <span className="text-fg-3">—</span>
    ) : (
      <span title={codes.join(', ')}>{codes.length > 4 ? `${codes.slice(0, 4).join(', ')} +${codes.length - 4}` : codes.join(', ')}</span>
    ),
  width: 132,
  drop: 0,
}

const up = bytes('bytes_up', 'Upload')
const down = bytes('bytes_down', 'Download')

/** What the table shows of each kind of group. Limits are of months, so they stand only beside a whole month. */
export const usageColumns = (
  grouping: UsageGrouping,
  { wholeMonth, largest, hasLate, hasBilled }: { wholeMonth: boolean; largest: number; hasLate: boolean; hasBilled: boolean }
): Column<UsageGroup>[] => {
  const figures = [up, down, total, share(largest)]
  if (grouping === 'sim')
    return [
      asset,
      ...figures,
      ...(hasBilled ? [billed] : []),
      ...(hasLate ? [late] : []),
      ...(wholeMonth ? [limit] : []),
      sessions,
      countries,
    ]
  if (grouping === 'country') return [named(grouping), ...figures, sims]
  return [named(grouping), ...figures, sims, countries]
}
