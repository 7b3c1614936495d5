import type { getBalance } from '@masthead/contract/billing/operations'
import type { listDataPools } from '@masthead/contract/datapools/operations'
import { Link } from 'react-router'
import { useMay } from '../api/session.ts'
import { later } from '../kit/later.tsx'
import { PanelCell } from '../ui/Panel.tsx'
import { useSeen } from '../ui/use-seen.ts'
import { whenIdle } from '../ui/when-idle.ts'

// Last of the first screen: it waits until the browser has nothing else to do.
const Credits = later(async () => (await import('./Credits.tsx')).Credits, null, whenIdle)
const Pools = later(async () => (await import('./Credits.tsx')).Pools, null, whenIdle)

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
        {seen && sees.credits && <Credits />}
        {seen && sees.pools && <Pools />}
      </div>
    </PanelCell>
  )
}
