import { getPriceList, listPrices } from '@masthead/contract/billing/price-operations'
import { Link } from 'react-router'
import { PriceListPage } from './PriceListPage.tsx'

/** What the account pays. */
export default function PricingScreen() {
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
    />
  )
}
