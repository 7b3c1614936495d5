import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import type { Sim } from '@masthead/contract/assets/sim'
import { q } from '../../api/query.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateShape } from '../../ui/StateShape.tsx'
import { ServiceSteps } from '../page/ServiceSteps.tsx'
import { pastService } from './past-moments.ts'

/** The service path as it stood at a time. Nothing on it can be pressed: it is over. */
export function PastMoment({ asset, sim, at }: { asset: Asset; sim: Sim; at: number }) {
  const { data } = useQuery(q(getServiceHistory, { params: { asset_id: asset.id } }))
  if (!data) return <Skeleton className="m-4 h-36" />
  const { tone, title, words, steps } = pastService(data, at, sim.data_pool !== null)
  const shape = tone === 'ok' ? 'done' : tone === 'bad' ? 'octagon' : 'dashed'
  return (
    <>
      <div className="p-4">
        <h2 className="flex items-start gap-2 text-md font-semibold" aria-live="polite">
          <StateShape shape={shape} tone={tone} size={16} className="mt-0.5" />
          {title}
        </h2>
        <p className="mt-1 max-w-[74ch] text-fg-2 text-pretty">{words.join(' ')}</p>
      </div>
      <ServiceSteps steps={steps} offer={() => null} />
    </>
  )
}
