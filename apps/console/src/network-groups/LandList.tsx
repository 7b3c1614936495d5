import type { AttachedSims } from '@masthead/contract/network-groups/network-group'
import { allowsNetwork } from '@masthead/contract/network-groups/rules'
import { countryOf } from '@masthead/contract/networks/countries'
import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Badge } from '../ui/Badge.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { cx } from '../ui/cx.ts'
import { Icon } from '../ui/Icon.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { shareOf, type Land } from './choice.ts'
import type { Places } from './places-words.ts'

type View = 'all' | 'allowed' | 'changed'

type Props = {
  lands: readonly Land[]
  loading: boolean
  saved: Places
  now: Places
  attached: readonly AttachedSims[]
  locked: boolean
  /** The country whose operators are shown. */
  opened: string | null
  onOpen: (code: string | null) => void
  onLand: (land: Land) => void
  onNetwork: (land: Land, mccmnc: string) => void
}

/** Countries with their operators: what is allowed, what was changed, and how many SIMs are there now. */
export function LandList({ lands, loading, saved, now, attached, ...rest }: Props) {
  const [search, setSearch] = useState('')
  const [view, setView] = useState<View>('all')
  const sims = useMemo(() => {
    const sums = new Map<string, number>()
    for (const each of attached) if (each.mccmnc) sums.set(each.mccmnc, (sums.get(each.mccmnc) ?? 0) + each.sims)
    return sums
  }, [attached])
  const isChanged = (land: Land) => land.networks.some(({ mccmnc }) => allowsNetwork(saved, mccmnc) !== allowsNetwork(now, mccmnc))
  const views: Record<View, readonly Land[]> = {
    all: lands,
    allowed: lands.filter((land) => shareOf(now, land) !== 'none'),
    changed: lands.filter(isChanged),
  }
  const words = search.trim().toLowerCase()
  const found = views[view].filter((land) => words === '' || matches(land, words))
  return (
    <div className="border-t border-line">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <div className="min-w-40 flex-1">
          <SearchField
            label="Country, operator or MCC-MNC"
            placeholder="Country, operator or MCC-MNC"
            value={search}
            onChange={setSearch}
            wait={0}
          />
        </div>
        <Segmented
          label="Which countries"
          value={view}
          onChange={setView}
          options={[
            { value: 'all', label: `All ${views.all.length}` },
            { value: 'allowed', label: `Allowed ${views.allowed.length}` },
            { value: 'changed', label: `Changed ${views.changed.length}` },
          ]}
        />
      </div>
      <div
        className="max-h-[420px] overflow-y-auto border-t border-line"
        tabIndex={0}
        role="region"
        aria-label="List of countries and operators"
      >
        {loading ? (
          <div className="p-4">
            <SkeletonLines lines={6} />
          </div>
        ) : found.length === 0 ? (
          <p className="px-4 py-6 text-center text-fg-3">No data found</p>
        ) : (
          <ul className="divide-y divide-line">
            {found.map((land) => (
              <LandRow
                key={land.code}
                land={land}
                saved={saved}
                now={now}
                sims={sims}
                isOpen={rest.opened === land.code || (words !== '' && found.length <= 3)}
                {...rest}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

const matches = ({ name, code, networks }: Land, words: string) =>
  name.toLowerCase().includes(words) ||
  code.toLowerCase() === words ||
  networks.some((network) => network.mccmnc.includes(words) || (network.name ?? '').toLowerCase().includes(words))

type RowProps = Omit<Props, 'lands' | 'loading' | 'attached' | 'opened'> & {
  land: Land
  sims: ReadonlyMap<string, number>
  isOpen: boolean
}

function LandRow({ land, saved, now, sims, isOpen, locked, onOpen, onLand, onNetwork }: RowProps) {
  const share = shareOf(now, land)
  const allowed = land.networks.filter(({ mccmnc }) => allowsNetwork(now, mccmnc)).length
  const here = land.networks.reduce((sum, { mccmnc }) => sum + (sims.get(mccmnc) ?? 0), 0)
  const all = land.networks.length
  return (
    <li>
      <div className="flex min-h-11 items-center gap-2.5 px-4">
        <Checkbox
          aria-label={land.name}
          checked={share === 'whole'}
          mixed={share === 'part'}
          disabled={locked}
          onChange={() => onLand(land)}
        />
        <button
          type="button"
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-sm py-1.5 text-left"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : land.code)}
        >
          <Icon of={ChevronRight} size={14} className={cx('flex-none text-fg-3', isOpen && 'rotate-90')} />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
            <span className="font-medium wrap-anywhere">{land.name}</span>
            <span className="flex-none text-xs text-fg-3">
              {share === 'part' ? `${allowed} of ${all} operators` : all === 1 ? '1 operator' : `${all} operators`}
            </span>
          </span>
        </button>
        <Attached sims={here} />
      </div>
      {isOpen && (
        <ul className="pb-2">
          {land.networks.map(({ mccmnc, name }) => {
            const [was, is] = [allowsNetwork(saved, mccmnc), allowsNetwork(now, mccmnc)]
            return (
              <li key={mccmnc} className="flex min-h-9 flex-wrap items-center gap-x-2.5 py-1 pr-4 pl-10">
                <Checkbox checked={is} disabled={locked} onChange={() => onNetwork(land, mccmnc)} className="min-w-40 flex-1">
                  <span className={cx('truncate', was && !is && 'text-fg-3 line-through')}>{name ?? 'Unnamed network'}</span>
                </Checkbox>
                <span className="ml-auto flex items-center gap-2.5">
                  {was !== is && <Badge tone={is ? 'ok' : 'bad'}>{is ? 'added' : 'removed'}</Badge>}
                  <span className="mono w-16 flex-none text-xs text-fg-3">{mccmnc}</span>
                  <Attached sims={sims.get(mccmnc) ?? 0} />
                </span>
              </li>
            )
          })}
          {land.code !== '' && land.networks.some(({ country }) => country !== null && country !== countryOf(land.networks[0]!.mccmnc)) && (
            <li className="px-10 text-xs text-fg-3">Territories that share the country code are listed here.</li>
          )}
        </ul>
      )}
    </li>
  )
}

const Attached = ({ sims }: { sims: number }) => (
  <span className="w-24 flex-none text-right text-xs text-fg-2 tabular-nums">
    {sims === 0 ? <span className="text-fg-3">—</span> : `${sims.toLocaleString('en')} attached`}
  </span>
)
