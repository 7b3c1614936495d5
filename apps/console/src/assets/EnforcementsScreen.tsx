import { useQuery } from '@tanstack/react-query'
import type { Enforcement } from '@masthead/contract/assets/enforcement'
import { getEnforcementFigures, listEnforcements } from '@masthead/contract/assets/enforcement-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { Gauge } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { CellLink } from '../kit/CellLink.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { Cell, Frame, Stat } from '../ui/Panel.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { limitWords } from './proof-steps.ts'
import { latencyWords } from './session-words.ts'

const filters: Filter[] = [
  {
    key: 'state',
    label: 'State',
    options: [
      { value: 'cut', label: 'Session is gone' },
      { value: 'open', label: 'Session goes on' },
    ],
  },
]

/** What the asset is called, for who may see it; else its id. */
function useAssetName(id: string): string {
  const denied = useDenied()
  const { data } = useQuery({ ...q(getAsset, { params: { asset_id: id } }), enabled: id !== '' && denied(getAsset) === null })
  return data?.name ?? id
}

/** The address with the list of all assets, from its first page. */
function without(params: URLSearchParams) {
  for (const key of ['asset_id', 'page', 'after']) params.delete(key)
  return params
}

/** How the limits of the account were enforced: figures over 30 days, and each by itself. */
export default function EnforcementsScreen() {
  const [params, setParams] = useSearchParams()
  const asset_id = params.get('asset_id')
  const name = useAssetName(asset_id ?? '')
  const of = asset_id ? { asset_id } : {}
  return (
    <div className="grid gap-5">
      {asset_id && (
        <div>
          <FilterChip label="Asset" value={name} onRemove={() => setParams(without)} />
        </div>
      )}
      <Figures of={of} />
      <QueryTable
        operation={listEnforcements}
        input={{ query: of }}
        label="Limits enforced"
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ asset_name }) => asset_name}
        rowHref={({ id }) => `/enforcements/${id}`}
        filters={filters}
        live
        empty={
          <EmptyState icon={Gauge} title="No data found">
            When a SIM reaches its data limit, its data pool gives nothing more, or no credits are left, it is listed here: how fast its
            session was cut, and what it used beyond the limit.
          </EmptyState>
        }
      />
    </div>
  )
}

function Figures({ of }: { of: { asset_id?: string } }) {
  const { data, error } = useQuery(q(getEnforcementFigures, { query: { days: 30, ...of } }))
  // That they did not come is said below, where the list is missing too.
  const loading = !data && !error
  const ms = (spread: { half: number; most: number } | null | undefined) => (spread ? latencyWords(spread.half) : '—')
  const most = (spread: { half: number; most: number } | null | undefined) =>
    spread ? `99 of 100 within ${latencyWords(spread.most)}` : data && 'no session was cut'
  return (
    <Frame className="grid-cols-2 @md:grid-cols-4">
      <Figure label="Reached in 30 days" loading={loading} value={data?.reached.toLocaleString('en')} note={data && openWords(data.open)} />
      <Figure label="To the Disconnect-Request" loading={loading} value={ms(data?.request_ms)} note={most(data?.request_ms)} />
      <Figure label="To the end of the session" loading={loading} value={ms(data?.latency_ms)} note={most(data?.latency_ms)} />
      <Figure
        label="Overshoot"
        loading={loading}
        value={data && formatSteadyBytes(data.overshoot_bytes)}
        note={data && `at most ${formatSteadyBytes(data.longest_overshoot_bytes)} at once`}
      />
    </Frame>
  )
}

const openWords = (open: number) => (open === 0 ? 'no session goes on' : `${open.toLocaleString('en')} ${open === 1 ? 'goes' : 'go'} on`)

const Figure = ({
  label,
  value,
  note,
  loading,
}: {
  label: string
  value: string | undefined
  note: string | undefined
  loading: boolean
}) => (
  <Cell>
    <Stat label={label} value={value ?? '—'} loading={loading} />
    <p className="mt-1 text-xs text-fg-3">{loading ? '' : note}</p>
  </Cell>
)

const columns: Column<Enforcement>[] = [
  {
    id: 'asset',
    header: 'Asset',
    list: 'title',
    shape: 'two',
    cell: ({ id, asset_name, iccid }) => (
      <TwoLines first={<CellLink to={`/enforcements/${id}`}>{asset_name}</CellLink>} second={<span className="mono">{iccid}</span>} />
    ),
  },
  {
    id: 'limit',
    header: 'Limit',
    width: 150,
    drop: 2,
    shape: 'two',
    cell: ({ group_name, pool, ...limit }) => (
      <TwoLines
        first={limitWords(limit)}
        second={
          pool ? `pool ${pool.name}` : limit.limit_period === 'credits' ? 'of the account' : group_name ? `from ${group_name}` : 'its own'
        }
      />
    ),
  },
  {
    id: 'reached',
    header: 'Reached',
    width: 120,
    list: 'below',
    listHead: true,
    numeric: true,
    cell: ({ reached_at }) => <RelativeTime at={reached_at} />,
  },
  {
    id: 'request',
    header: 'Request after',
    width: 112,
    numeric: true,
    drop: 1,
    cell: ({ request_ms }) => (request_ms === null ? <span className="text-fg-3">—</span> : latencyWords(request_ms)),
  },
  {
    id: 'latency',
    header: 'Cut after',
    width: 112,
    numeric: true,
    list: 'aside',
    cell: ({ cut_at, latency_ms }) =>
      cut_at === null ? (
        <StatusDot status="live" label="goes on" />
      ) : latency_ms === null ? (
        <span className="text-fg-3">none was cut</span>
      ) : (
        <>
          <span className="only-list mr-1">held in</span>
          {latencyWords(latency_ms)}
        </>
      ),
  },
  {
    id: 'overshoot',
    header: 'Overshoot',
    width: 104,
    numeric: true,
    list: 'below',
    cell: ({ overshoot_bytes, ...limit }) => (
      <>
        {formatSteadyBytes(overshoot_bytes)}
        <span className="only-list ml-1">{limit.limit_period === 'credits' ? 'without credits' : `beyond ${limitWords(limit)}`}</span>
      </>
    ),
  },
]
