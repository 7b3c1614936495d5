import { getPlan, listPlanPrices } from '@masthead/contract/billing/price-operations'
import { PriceListPage } from './PriceListPage.tsx'

/** What data and SIMs cost whoever has agreed on nothing else. */
export default function PlanScreen() {
  return <PriceListPage list={getPlan} prices={listPlanPrices} none="There is no general price list yet. Ask your provider for prices." />
}
