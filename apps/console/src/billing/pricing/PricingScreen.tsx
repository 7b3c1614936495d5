import { getPriceList, listPrices } from '@masthead/contract/billing/price-operations'
import { listPackages } from '@masthead/contract/datapools/operations'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { PackageOffers } from '../../datapools/index.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { PriceListPage } from './PriceListPage.tsx'

/** What the account pays, and the packages that it can buy. */
export default function PricingScreen() {
  const seesPackages = useDenied()(listPackages) === null
  return (
    <PriceListPage
      list={getPriceList}
      prices={listPrices}
      none={
        <>
          Your account pays by no price list, so nothing is charged for data. See the{' '}
          <Link to="/pricing" className="font-medium underline">
            general price list
          </Link>
          .
        </>
      }
    >
      {seesPackages && (
        <Suspense>
          <PackageOffers />
        </Suspense>
      )}
    </PriceListPage>
  )
}
