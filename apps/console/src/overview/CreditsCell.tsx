import type { getBalance } from '@masthead/contract/billing/operations'
import type { listDataPools } from '@masthead/contract/datapools/operations'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useMay } from '../api/session.ts'
import { PanelCell } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { useSeen } from '../ui/use-seen.ts'

const Credits = lazy(() => import('./Credits.tsx').then((module) => ({ default: module.Credits })))
const Pools = lazy(() => import('./Credits.tsx').then((module) => ({ default: module.Pools })))

// The operations themselves would make the first screen larger: their types say what they ask for.
const balance: Pick<typeof getBalance, 'access'> = { access: 'billing.view' }
const pools: Pick<typeof listDataPools, 'access'> = { access: 'datapools.view' }

/** What of money and data pools somebody may see. */
export function useSeesCredits() {
  const [credits, dataPools] = [useMay(balance), useMay(pools)]
  return { credits, pools: dataPools, any: credits || dataPools }
}

/** What is left to spend, and how long the data pools last. */
export function CreditsCell() {
  const [place, seen] = useSeen<HTMLDivElement>()
  const sees = useSeesCredits()
  return (
    <PanelCell
      className="col-span-2 @lg:col-span-4"
      title={sees.credits ? 'Credits' : 'Data pools'}
      end={
        sees.credits && (
          <Link to="/billing/addcredits" className="link text-xs">
            Add credits
          </Link>
        )
      }
    >
      <div ref={place} className="min-h-44">
        {seen ? (
          <Suspense fallback={<Coming />}>
            {sees.credits && <Credits />}
            {sees.pools && <Pools />}
          </Suspense>
        ) : (
          <Coming />
        )}
      </div>
    </PanelCell>
  )
}

const Coming = () => (
  <div className="p-4">
    <SkeletonLines lines={4} />
  </div>
)
