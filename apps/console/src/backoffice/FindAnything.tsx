import { useQuery } from '@tanstack/react-query'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { listSearchHits, type SearchHit } from '@masthead/contract/backoffice/home-operations'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { cx } from '../ui/cx.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'

const kinds: Record<SearchHit['kind'], string> = {
  account: 'Account',
  person: 'Person',
  asset: 'Asset',
  stock: 'Stock',
  gateway: 'Gateway',
  quarantine: 'Quarantine',
}
const enough = 3

/** Where a hit leads. */
const addressOf = ({ kind, id, account }: SearchHit): string =>
  ({
    account: `/masa/accounts/${encodeURIComponent(account ?? id)}`,
    person: `/masa/accounts/${encodeURIComponent(account ?? id)}`,
    asset: `/masa/assets/${encodeURIComponent(id)}`,
    stock: `/masa/stock?search=${encodeURIComponent(id)}`,
    gateway: `/masa/gateways?gateway=${encodeURIComponent(id)}`,
    quarantine: `/masa/quarantine?search=${encodeURIComponent(id)}`,
  })[kind]

const defaults = { search: '' }

/** One search over everything. Arrow keys walk what is found, Enter opens it; what is looked for is in the address, and in the log. */
export function FindAnything() {
  const [{ search }, change] = useAddressState(defaults)
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const list = useRef<HTMLUListElement>(null)
  const wanted = search.trim()
  const enabled = wanted.length >= enough
  const { data, error, isFetching, refetch } = useQuery({
    ...q(listSearchHits, { query: { search: wanted } }),
    enabled,
    staleTime: Infinity,
  })
  const hits = enabled ? (data?.items ?? []) : []
  const current = Math.min(at, hits.length - 1)
  const go = (to: number) => {
    const next = (to + hits.length) % hits.length
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (hits.length === 0) return
    if (event.key === 'ArrowDown') go(current + 1)
    else if (event.key === 'ArrowUp') go(current - 1)
    else if (event.key === 'Enter' && hits[current]) void navigate(addressOf(hits[current]))
    else return
    event.preventDefault()
  }
  return (
    <div className="mb-4 grid grid-cols-1 gap-2" onKeyDown={onKeyDown}>
      <SearchField
        value={search}
        onChange={(text) => {
          setAt(0)
          change({ search: text })
        }}
        label="Find anything"
        placeholder="E-mail, team, serial number, ICCID, IMSI, MSISDN, IMEI, gateway"
        hotkey
        autoFocus
      />
      {wanted !== '' && !enabled && <p className="text-xs text-fg-3">Enter at least three characters.</p>}
      {error && enabled && (
        <FailureNotice
          of={error}
          action={
            <button type="button" className="link" onClick={() => void refetch()}>
              Try again
            </button>
          }
        />
      )}
      {enabled && !error && (
        <div className="rounded-lg border border-line" aria-busy={isFetching}>
          {!data ? (
            <div className="p-4">
              <SkeletonLines />
            </div>
          ) : hits.length === 0 ? (
            <p className="p-4 text-fg-2 wrap-anywhere">Nothing has “{wanted}” in a name or a number.</p>
          ) : (
            <ul ref={list} aria-label="Found" className="max-h-100 overflow-auto p-1">
              {hits.map((hit, place) => (
                <li key={`${hit.kind} ${hit.id}`}>
                  <button
                    type="button"
                    className={cx('option', place === current && 'bg-active')}
                    aria-current={place === current ? true : undefined}
                    onClick={() => void navigate(addressOf(hit))}
                    onMouseEnter={() => setAt(place)}
                  >
                    <span className="w-20 flex-none text-left text-xs text-fg-3">{kinds[hit.kind]}</span>
                    <span className="grid min-w-0 text-left">
                      <span className="truncate font-medium">{hit.label}</span>
                      <span className="truncate text-xs text-fg-3">
                        {[hit.type && assetTypes[hit.type], hit.note, hit.kind === 'asset' && hit.account].filter(Boolean).join(' · ')}
                      </span>
                    </span>
                    {hit.status && (
                      <span className="ml-auto">
                        <StatusDot status={hit.status} />
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
