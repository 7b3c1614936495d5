import { useQuery } from '@tanstack/react-query'
import { getPriceList } from '@masthead/contract/billing/price-operations'
import { buyPackage, listDataPools } from '@masthead/contract/datapools/operations'
import { pageSize } from '@masthead/contract/kernel/page'
import { Database } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { LiveMark } from '../kit/LiveMark.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TableFrame } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { PoolCard } from './PoolCard.tsx'
import { PoolSheet } from './PoolSheet.tsx'

// A dialog is no part of the first screen.
const BuyPackage = lazy(() => import('./BuyPackage.tsx').then((module) => ({ default: module.BuyPackage })))

const defaults = { state: 'running', search: '', page: 1, pool: '' }
const states = [
  { value: 'running', label: 'Running' },
  { value: 'ended', label: 'Ended' },
] as const

/** Packages that SIMs share, what is left in each, and when it will run out. */
export default function DataPoolsScreen() {
  const [place, change] = useAddressState(defaults)
  const state = place.state === 'ended' ? 'ended' : 'running'
  const query = { state, page: place.page, ...(place.search && { search: place.search }) } as const
  const { data, error, refetch } = useQuery(q(listDataPools, { query }))
  const [buying, setBuying] = useState(false)
  const first = (place.page - 1) * pageSize + 1
  return (
    <>
      <BannerEnd>
        <LiveMark />
      </BannerEnd>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <div className="min-w-44 flex-1 @sm:max-w-75">
          <SearchField
            value={place.search}
            onChange={(text) => change({ search: text.trim(), page: 1 })}
            label="Search data pools"
            placeholder="Name"
            hotkey
          />
        </div>
        <Segmented label="State" options={states} value={state} onChange={(next) => change({ state: next, page: 1 })} />
        <ActionButton
          operation={buyPackage}
          color="primary-solid"
          className="ml-auto"
          disabled={data?.closed ?? null}
          onClick={() => setBuying(true)}
        >
          Buy data
        </ActionButton>
      </div>
      {error && !data ? (
        <ErrorState title="The data pools could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <div role="group" className="grid gap-4" aria-busy="true" aria-label="Loading data pools">
          <Skeleton className="h-76 w-full" />
          <Skeleton className="h-76 w-full" />
        </div>
      ) : data.items.length === 0 ? (
        <NoPools words={place.search !== '' ? 'filtered' : state} />
      ) : (
        <div className="grid gap-4">
          {data.items.map((pool) => (
            <PoolCard key={pool.id} pool={pool} />
          ))}
          <TableFoot
            words={showingWords(first, data.items.length, data.total, data.total_capped)}
            onBack={place.page > 1 ? () => change({ page: place.page - 1 }, { push: true }) : null}
            onNext={data.next !== null ? () => change({ page: place.page + 1 }, { push: true }) : null}
          />
        </div>
      )}
      {buying && (
        <Suspense>
          <BuyPackage onClose={() => setBuying(false)} onBought={(id) => change({ pool: id }, { push: true })} />
        </Suspense>
      )}
      {place.pool !== '' && <PoolSheet id={place.pool} onClose={() => change({ pool: '' }, { push: true })} />}
    </>
  )
}

const emptyWords = {
  filtered: 'No data pool matches. Look among the running and the ended ones, or search for another name.',
  ended: 'No data pool has ended yet.',
  running:
    'A data pool is data that SIMs share for a month or some days. Without one every SIM uses data by itself. Buy one with your credits, or have your provider open one for you.',
}

function NoPools({ words }: { words: keyof typeof emptyWords }) {
  const prices = useDenied()(getPriceList) === null && words === 'running'
  return (
    <TableFrame>
      <EmptyState
        icon={Database}
        title="No data found"
        {...(prices && {
          actions: (
            <LinkButton as={Link} to="/billing/pricing">
              What data costs without a pool
            </LinkButton>
          ),
        })}
      >
        {emptyWords[words]}
      </EmptyState>
    </TableFrame>
  )
}
