import { useQuery } from '@tanstack/react-query'
import type { AttachedSims } from '@masthead/contract/network-groups/network-group'
import { allowsNetwork } from '@masthead/contract/network-groups/rules'
import { listNetworks } from '@masthead/contract/networks/operations'
import { countryOf } from '@masthead/contract/networks/countries'
import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { q } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { MapView } from '../ui/MapView.tsx'
import { Menu } from '../ui/Menu.tsx'
import { PanelHead } from '../ui/Panel.tsx'
import { landsOf, regions, shareOf, toggleLand, toggleNetwork, type Land } from './choice.ts'
import { placesWords, type Places } from './places-words.ts'
import type { Draft, Fields } from './draft.ts'
import { LandList } from './LandList.tsx'

/** Where the SIMs of a group may be: on a map, and in a list with the operators of each country. */
export function GroupPlaces({
  saved,
  now,
  attached,
  locked,
  onChange,
}: {
  saved: Fields
  now: Fields
  attached: readonly AttachedSims[]
  /** Why nothing can be changed. */
  locked: string | null
  onChange: (change: Draft) => void
}) {
  const { data, error, refetch } = useQuery({ ...q(listNetworks, {}), staleTime: Infinity })
  // A region is chosen by the countries that have networks: as long as none are known, it would be nowhere.
  const missing = data ? null : error ? 'The networks could not be loaded' : 'The networks are still being loaded'
  const closed = locked ?? missing
  const lands = useMemo(() => landsOf(data?.items ?? []), [data])
  const [opened, setOpened] = useState<string | null>(null)
  // Where the group is when the page opens; the map stays there while countries are chosen.
  const [opensOn] = useState(() => countriesOf(saved))
  const byCode = useMemo(() => new Map(lands.map((land) => [land.code, land])), [lands])
  const there = useMemo(() => simsByCountry(attached), [attached])
  const { countries, networks } = now
  const lost = useMemo(() => lostAt(saved, { countries, networks }, attached), [saved, countries, networks, attached])
  const marks = useMemo(() => marksOf(lands, { countries, networks }, lost), [lands, countries, networks, lost])
  const change = ({ countries, networks }: Places) =>
    onChange({ countries: countries === null ? null : [...countries].toSorted(), networks: [...networks].toSorted() })
  const press = (land: Land) => change(toggleLand(now, land, lands))
  const { first, second } = placesWords(now)
  return (
    <section aria-labelledby="group-places" className="min-w-0 rounded-lg border border-line bg-bg">
      <PanelHead
        id="group-places"
        title="Countries and operators"
        note={second ? `${first}, ${second}` : first}
        end={
          <>
            {closed ? (
              <Button size="small" disabled={closed}>
                Regions
                <Icon of={ChevronDown} size={14} />
              </Button>
            ) : (
              <Menu
                label="Choose a region"
                align="end"
                trigger={
                  <Button size="small">
                    Regions
                    <Icon of={ChevronDown} size={14} />
                  </Button>
                }
                items={[
                  ...regions.map(({ label, countries }) => ({
                    label,
                    onSelect: () => change({ countries: countries.filter((code) => byCode.has(code)), networks: [] }),
                  })),
                  { label: 'Nowhere', onSelect: () => change({ countries: [], networks: [] }) },
                ]}
              />
            )}
            <Button
              size="small"
              disabled={locked ?? (now.countries === null ? 'All are allowed already' : null)}
              onClick={() => change({ countries: null, networks: [] })}
            >
              Everywhere
            </Button>
          </>
        }
      />
      <div className="p-4">
        <MapView
          label="Allowed countries"
          height={360}
          opensOn={opensOn}
          marks={marks}
          onCountry={(code) => {
            const land = byCode.get(code)
            if (land && !locked) {
              press(land)
              setOpened(code)
            }
          }}
          nameOf={(code) => hoverWords(byCode.get(code), now, there.get(code) ?? 0)}
        />
        <Legend locked={locked !== null} />
      </div>
      {error && !data ? (
        <ErrorState title="The networks could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <LandList
          lands={lands}
          loading={!data}
          saved={saved}
          now={now}
          attached={attached}
          locked={locked !== null}
          opened={opened}
          onOpen={setOpened}
          onLand={press}
          onNetwork={(land, mccmnc) => change(toggleNetwork(now, land, mccmnc, lands))}
        />
      )}
    </section>
  )
}

type Mark = 'whole' | 'part' | 'lost'

function marksOf(lands: readonly Land[], places: Places, lost: ReadonlySet<string>): Record<string, Mark> {
  const marks: Record<string, Mark> = {}
  for (const land of lands) {
    const share = shareOf(places, land)
    if (lost.has(land.code)) marks[land.code] = 'lost'
    else if (share !== 'none') marks[land.code] = share
  }
  return marks
}

/** All countries where a group is allowed in whole or in part; of one that is allowed everywhere none is named. */
const countriesOf = ({ countries, networks }: Places): string[] =>
  countries === null ? [] : [...new Set([...countries, ...networks.flatMap((mccmnc) => countryOf(mccmnc) ?? [])])]

const shareWords = { whole: 'allowed', part: 'some operators', none: 'not allowed' }

const hoverWords = (land: Land | undefined, places: Places, sims: number) =>
  land ? `${land.name}: ${shareWords[shareOf(places, land)]}${sims > 0 ? `, ${sims.toLocaleString('en')} attached` : ''}` : ''

const simsByCountry = (attached: readonly AttachedSims[]) => {
  const sums = new Map<string, number>()
  for (const { mccmnc, sims } of attached) {
    const code = (mccmnc && countryOf(mccmnc)) ?? ''
    sums.set(code, (sums.get(code) ?? 0) + sims)
  }
  return sums
}

/** Countries where SIMs are attached to what the change takes away. */
const lostAt = (saved: Places, now: Places, attached: readonly AttachedSims[]) =>
  new Set(
    attached.flatMap(({ mccmnc }) =>
      mccmnc !== null && allowsNetwork(saved, mccmnc) && !allowsNetwork(now, mccmnc) ? [countryOf(mccmnc) ?? ''] : []
    )
  )

const legend = [
  ['whole', 'Allowed'],
  ['part', 'Some operators'],
  ['lost', 'You remove, SIMs are there'],
] as const

const Legend = ({ locked }: { locked: boolean }) => (
  <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-fg-2">
    {legend.map(([mark, words]) => (
      <span key={mark} className="inline-flex items-center gap-1.5">
        <svg aria-hidden width="14" height="10" className="overflow-visible">
          <rect width="14" height="10" className="map-country" data-mark={mark} />
        </svg>
        {words}
      </span>
    ))}
    {!locked && <span className="text-fg-3">Select a country here or in the list below.</span>}
  </p>
)
