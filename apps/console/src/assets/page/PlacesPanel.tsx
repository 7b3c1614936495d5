import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { listStays, placeDays, type Place, type Stay } from '@masthead/contract/assets/place-operations'
import { formatExactHere, formatLongDuration } from '@masthead/contract/kernel/time'
import { lazy, Suspense, useMemo, useState } from 'react'
import { q } from '../../api/query.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Button } from '../../ui/Button.tsx'
import { countryName } from '../../ui/country-name.ts'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Skeleton, SkeletonLines } from '../../ui/Skeleton.tsx'
import { networkWords } from '../session-words.ts'
import { Positions } from './Positions.tsx'

const MapView = lazy(() => import('../../ui/MapView.tsx').then((module) => ({ default: module.MapView })))

const few = 5
const ways = [
  { value: 'list', label: 'List' },
  { value: 'map', label: 'Map' },
] as const

/**
 * Where the asset is and was: the position that was set, and as networks reported it, the operator, the country and the cell. No position is worked out from
 * these.
 */
export function PlacesPanel({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(listStays, { params: { asset_id: asset.id } }))
  const [way, setWay] = useState<'list' | 'map'>('list')
  const stays = data?.items
  const hasMap = data && (data.items.length > 0 || data.places.length > 0)
  return (
    <Panel
      flush
      title="Location"
      note={`last ${placeDays} days`}
      end={hasMap && <Segmented label="Show places as" options={ways} value={way} onChange={setWay} />}
    >
      {error && !data ? (
        <ErrorState title="Places could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !stays ? (
        <div className="p-4">
          <SkeletonLines lines={4} />
        </div>
      ) : (
        <>
          <Positions asset={asset} places={data.places} />
          {hasMap && way === 'map' ? (
            <PlacesMap asset={asset} stays={stays} places={data.places} />
          ) : stays.length === 0 ? (
            <p className="px-4 py-3 text-fg-3">No data found: no network reported this asset in {placeDays} days.</p>
          ) : (
            <Stays stays={stays} more={data.more} />
          )}
        </>
      )}
    </Panel>
  )
}

function Stays({ stays, more }: { stays: Stay[]; more: boolean }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <ol className="divide-y divide-line" aria-label="Places, newest first">
        {(all ? stays : stays.slice(0, few)).map((stay, nth) => (
          <li key={`${stay.since} ${stay.network.mccmnc}`} className="grid gap-0.5 px-4 py-2.5">
            <span className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate font-medium">{networkWords(stay)}</span>
              <span className="text-xs text-fg-3" title={`${formatExactHere(stay.since)} to ${formatExactHere(stay.until)}`}>
                {nth === 0 && 'reported '}
                <RelativeTime at={stay.until} />
              </span>
            </span>
            <span className="flex flex-wrap gap-x-2 text-xs text-fg-3">
              <span>{stay.network.country ? countryName(stay.network.country) : stay.network.mccmnc}</span>
              <span>{lengthOf(stay) >= 1000 ? `for ${formatLongDuration(lengthOf(stay) / 1000)}` : 'one report'}</span>
              {stay.cell && (
                <span className="mono min-w-0 truncate" title={stay.cell}>
                  {stay.cell}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {stays.length > few && (
        <div className="border-t border-line px-2 py-1.5">
          <Button color="ghost" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Only the last ${few}` : `All ${stays.length}${more ? ' of the newest' : ''}`}
          </Button>
        </div>
      )}
    </>
  )
}

function PlacesMap({ asset, stays, places }: { asset: Asset; stays: Stay[]; places: Place[] }) {
  const values = useMemo(() => {
    const lengths: Record<string, number> = {}
    for (const stay of stays)
      if (stay.network.country) lengths[stay.network.country] = (lengths[stay.network.country] ?? 0) + lengthOf(stay) / 1000
    return lengths
  }, [stays])
  const markers = useMemo(
    () =>
      Object.fromEntries(
        places.map(({ since, until, latitude, longitude }) => [
          until === null ? asset.name : `${formatExactHere(since)} to ${formatExactHere(until)}`,
          [latitude, longitude],
        ])
      ),
    [asset.name, places]
  )
  return (
    <div className="p-2">
      <Suspense fallback={<Skeleton className="h-55 w-full" />}>
        <MapView
          label={`Countries, by the time there in ${placeDays} days`}
          height={220}
          values={values}
          format={formatLongDuration}
          markers={markers}
        />
      </Suspense>
    </div>
  )
}

/** From the first report to the last, in milliseconds. */
const lengthOf = ({ since, until }: Stay) => Math.max(0, Date.parse(until) - Date.parse(since))
