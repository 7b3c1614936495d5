import { getBalance } from '@masthead/contract/billing/operations'
import { buyPackage, listPackages } from '@masthead/contract/datapools/operations'
import { whyNotSold } from '@masthead/contract/datapools/package'
import { overageWords } from '@masthead/contract/datapools/pool'
import type { Reply } from '@masthead/contract/kernel/operation'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Bytes } from '../kit/Bytes.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { perMegabyte, priceWords, zoneWords } from './pool-words.ts'

// A dialog is no part of the screen.
const BuyPackage = lazy(() => import('./BuyPackage.tsx').then((module) => ({ default: module.BuyPackage })))

type Offer = Reply<typeof listPackages>['items'][number]

const columnsOf = (whyNot: (offer: Offer) => string | null, buy: (id: string) => void): Column<Offer>[] => [
  {
    id: 'name',
    header: 'Package',
    list: 'title',
    shape: 'two',
    cell: (offer) => <TwoLines first={<span className="font-medium">{offer.name}</span>} second={zoneWords(offer)} />,
  },
  { id: 'size', header: 'Data', width: 100, numeric: true, drop: 2, cell: ({ size_bytes }) => <Bytes of={size_bytes} /> },
  { id: 'after', header: 'After it', width: 190, drop: 1, cell: (offer) => overageWords(offer) },
  { id: 'megabyte', header: 'Per MB, all used', width: 140, numeric: true, drop: 1, cell: (offer) => perMegabyte(offer) },
  { id: 'price', header: 'Price', width: 150, numeric: true, list: 'below', cell: (offer) => priceWords(offer) },
  {
    id: 'buy',
    header: 'Buy',
    width: 90,
    numeric: true,
    list: 'aside',
    cell: (offer) => (
      <ActionButton
        operation={buyPackage}
        size="small"
        disabled={whyNot(offer)}
        onClick={() => buy(offer.id)}
        aria-label={`Buy ${offer.name}`}
      >
        Buy
      </ActionButton>
    ),
  },
]

/** The packages that are offered, each with what buys it; nothing where none is. */
export function PackageOffers() {
  const mayLook = useDenied()(getBalance) === null
  const currency = useQuery({ ...q(getBalance, {}), enabled: mayLook }).data?.balance?.currency
  const { data, error, refetch } = useQuery(q(listPackages, {}))
  const [buying, buy] = useState<string | null>(null)
  const navigate = useNavigate()
  const columns = useMemo(() => columnsOf((offer) => whyNotSold(offer, currency ?? offer.currency), buy), [currency])
  if (error) return <ErrorState title="The packages could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data || data.items.length === 0) return null
  return (
    <Panel title="Packages" note="data that SIMs share" flush className="overflow-clip">
      <PlainTable label="Packages" columns={columns} rows={data.items} rowId={({ id }) => id} />
      {buying && (
        <Suspense>
          <BuyPackage chosen={buying} onClose={() => buy(null)} onBought={(id) => void navigate(`/datapools?pool=${id}`)} />
        </Suspense>
      )}
    </Panel>
  )
}
