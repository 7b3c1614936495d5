import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { listNetworkUsage, type NetworkUsage as Row } from '@masthead/contract/usage/network-operations'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { RadioTower } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { q } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { countryName } from '../ui/country-name.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Frame, PanelCell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { Table, TwoLines, type Column } from '../ui/Table.tsx'
import { useSeen } from '../ui/use-seen.ts'
import { periodWords, type Period } from './period.ts'
import { changeWords } from './usage-words.ts'

const MapView = lazy(() => import('../ui/MapView.tsx').then((module) => ({ default: module.MapView })))

const mapHeight = 300
/** Beside the map; the others on demand. */
const fewOperators = 6
const none = 'text-fg-3'

/** Where data was used: countries shaded by it, and every operator. It comes when it is looked at. */
export function NetworkUsage({ dates, interval }: { dates: Period; interval: UsageInterval }) {
  const [place, seen] = useSeen<HTMLDivElement>({ onlySeen: true })
  return (
    <div ref={place} className="mb-4" style={{ minHeight: mapHeight }}>
      {seen && <Places dates={dates} interval={interval} />}
    </div>
  )
}

function Places({ dates, interval }: { dates: Period; interval: UsageInterval }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(q(listNetworkUsage, { query: { ...dates, interval } }))
  const [all, setAll] = useState(false)
  const values = useMemo(() => {
    const bytes: Record<string, number> = {}
    for (const { network, bytes: used } of data?.networks ?? [])
      if (network.country && used > 0) bytes[network.country] = (bytes[network.country] ?? 0) + used
    return bytes
  }, [data])
  const refuses = data?.networks.some(({ refused_sims }) => refused_sims !== null) ?? false
  const columns = useMemo(() => columnsOf(refuses), [refuses])
  if (error && !data)
    return (
      <Frame>
        <ErrorState title="Usage by country could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Frame>
    )
  return (
    <Frame className="@lg:grid-cols-12">
      <PanelCell className="@lg:col-span-7" title="Data by country" note={periodWords(dates)} line={false}>
        <div className="px-4 pb-3">
          <Suspense fallback={<Skeleton className="h-75 w-full" />}>
            <MapView label="Data by country" height={mapHeight} values={values} format={formatBytes} />
          </Suspense>
          {data && data.unknown_bytes > 0 && (
            <p className="mt-1 text-xs text-fg-3">
              {formatBytes(data.unknown_bytes)} more was used on networks that the gateway did not name.
            </p>
          )}
        </div>
      </PanelCell>
      <PanelCell className="@lg:col-span-5" title="Operators" {...(data && { note: data.networks.length.toLocaleString('en') })}>
        <Table
          label="Data by operator"
          columns={columns}
          rows={all ? data?.networks : data?.networks.slice(0, fewOperators)}
          stale={isPlaceholderData}
          skeletonRows={fewOperators}
          rowId={({ network }) => network.mccmnc}
          empty={
            <EmptyState icon={RadioTower} title="No data found">
              No operator was used in this period.
            </EmptyState>
          }
        />
        {data && data.networks.length > fewOperators && (
          <div className="px-2 py-1.5">
            <Button color="ghost" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? `Only the first ${fewOperators}` : `All ${data.networks.length}`}
            </Button>
          </div>
        )}
      </PanelCell>
    </Frame>
  )
}

// Beside the map it is a table at every width: what is long goes on in a second line.
const columnsOf = (refuses: boolean): Column<Row>[] => [
  {
    id: 'network',
    header: 'Operator',
    cell: ({ network }) => (
      <TwoLines
        first={<span className="font-medium wrap-anywhere whitespace-normal">{network.name ?? network.mccmnc}</span>}
        second={
          network.country ? (
            <span className="whitespace-normal">{countryName(network.country)}</span>
          ) : (
            <span className="mono">{network.mccmnc}</span>
          )
        }
      />
    ),
    fixed: true,
    shape: 'two',
  },
  {
    id: 'bytes',
    header: 'Data',
    cell: ({ bytes, previous_bytes }) => (
      <TwoLines
        first={formatSteadyBytes(bytes)}
        second={changeWords(bytes, previous_bytes) ?? <span className={none}>{bytes > 0 ? 'new' : '—'}</span>}
      />
    ),
    numeric: true,
    width: 108,
    shape: 'two',
  },
  ...(refuses ? [refused] : []),
]

const refused: Column<Row> = {
  id: 'refused',
  header: 'Refused, 24 h',
  cell: ({ refused_sims }) =>
    refused_sims ? (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <StateShape shape="diamond" tone="bad" />
        {refused_sims.toLocaleString('en')} {refused_sims === 1 ? 'SIM' : 'SIMs'}
      </span>
    ) : (
      <span className={none}>none</span>
    ),
  numeric: true,
  width: 116,
}
