import { useQuery } from '@tanstack/react-query'
import type { Reply } from '@masthead/contract/kernel/operation'
import { getPlaces, mostPlaced } from '@masthead/contract/overview/glance-operations'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { countryName } from '../ui/country-name.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { MapView } from '../ui/MapView.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

const mostOperators = 5
const sims = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'SIM' : 'SIMs'}`

type Counted = Pick<Reply<typeof getPlaces>['networks'][number], 'network'>
/** The SIMs that were counted on some networks. */
const listOf = (networks: readonly Counted[]) =>
  `/assets?search=${encodeURIComponent(`network:${networks.map(({ network }) => network.mccmnc).join(',')} state:active`)}`
/** A longer line cannot be asked. */
const mostNamed = 200

type Placed = Reply<typeof getPlaces>['placed']
/** Assets by what they are called on the map: those of one name have their serial number beside it. */
function byLabel(placed: Placed): ReadonlyMap<string, Placed[number]> {
  const named = Map.groupBy(placed, ({ name }) => name)
  return new Map(placed.map((asset) => [named.get(asset.name)!.length > 1 ? `${asset.name}, ${asset.serial}` : asset.name, asset]))
}

/** Countries shaded by their SIMs, the operators with most, and assets where they stand; each leads to its assets. */
export function Places() {
  const { data, error, refetch } = useQuery(q(getPlaces, {}))
  const navigate = useNavigate()
  const values = useMemo(() => {
    const counts: Record<string, number> = {}
    for (const { network, sims } of data?.networks ?? [])
      if (network.country) counts[network.country] = (counts[network.country] ?? 0) + sims
    return counts
  }, [data])
  const assets = useMemo(() => byLabel(data?.placed ?? []), [data?.placed])
  const markers = useMemo(
    () => Object.fromEntries([...assets].map(([label, { latitude, longitude }]) => [label, [latitude, longitude]])),
    [assets]
  )
  if (error && !data) return <ErrorState title="Where SIMs are could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-70 w-full" />
  const others = data.networks.slice(mostOperators)
  const otherWords = `${others.length} more with ${sims(others.reduce((sum, each) => sum + each.sims, 0))}`
  return (
    <>
      <MapView
        label="SIMs by country"
        height={280}
        values={values}
        format={sims}
        markers={markers}
        onSelect={(label) => void navigate(`/assets/${assets.get(label)!.asset_id}`)}
        onCountry={(code) => {
          const there = data.networks.filter(({ network }) => network.country === code)
          if (there.length > 0) void navigate(listOf(there))
        }}
      />
      {data.networks.length === 0 ? (
        <p className="text-fg-3">No data found: no SIM has used data in 30 days.</p>
      ) : (
        <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-xs" aria-label="Operators">
          {data.networks.slice(0, mostOperators).map(({ network, sims: count, off }) => (
            <li key={network.mccmnc} className="whitespace-nowrap">
              <Link to={listOf([{ network }])} className="font-medium hover:underline">
                {network.name ?? network.mccmnc}
              </Link>{' '}
              <span className="text-fg-3">
                {network.country ? countryName(network.country) : network.mccmnc}, {count.toLocaleString('en')}
              </span>
              {off > 0 && <span className="text-bad-fg"> ({off.toLocaleString('en')} not as usual)</span>}
            </li>
          ))}
          {others.length > 0 && (
            <li className="text-fg-3">
              {others.length > mostNamed ? (
                otherWords
              ) : (
                <Link to={listOf(others)} className="hover:underline">
                  {otherWords}
                </Link>
              )}
            </li>
          )}
          {data.unknown > 0 && <li className="text-fg-3">{sims(data.unknown)} without data in 30 days</li>}
          {data.more_placed && <li className="text-fg-3">{mostPlaced.toLocaleString('en')} positions are shown, there are more</li>}
        </ul>
      )}
    </>
  )
}
