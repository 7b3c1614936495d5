import { useQuery } from '@tanstack/react-query'
import type { getPlan, getPriceList, listPlanPrices, listPrices } from '@masthead/contract/billing/price-operations'
import type { ReactNode } from 'react'
import { q } from '../../api/query.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TableFrame } from '../../ui/Table.tsx'
import { PriceListView } from './PriceListView.tsx'

type Asked = { list: typeof getPriceList | typeof getPlan; prices: typeof listPrices | typeof listPlanPrices }

/** A price list, or `none` where there is none. */
export function PriceListPage({ list, prices, none, children }: Asked & { none: ReactNode; children?: ReactNode }) {
  const { data, error, refetch } = useQuery(q(list, {}))
  if (data)
    return (
      <PriceListView list={data} operation={prices}>
        {children}
      </PriceListView>
    )
  if (error?.code === 'no_tariff')
    return (
      <TableFrame>
        <EmptyState title="No data found">{none}</EmptyState>
      </TableFrame>
    )
  if (error) return <ErrorState title="The prices could not be loaded" failure={error} onRetry={() => void refetch()} />
  return (
    <div role="group" className="grid gap-4" aria-busy="true" aria-label="Loading prices">
      <Skeleton className="h-60 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  )
}
