import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import type { Device } from '@masthead/contract/devices/device'
import { getDevice } from '@masthead/contract/devices/operations'
import type { ReactNode } from 'react'
import { CardSim } from 'lucide-react'
import { q } from '../../api/query.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SetUpPanel } from './SetUpPanel.tsx'

/** The device of an asset once it has come; how it is set up where there is none yet. */
export function DeviceLoader({ asset, children }: { asset: Asset; children: (device: Device) => ReactNode }) {
  const { data, error, refetch } = useQuery(q(getDevice, { params: { asset_id: asset.id } }))
  if (deviceKindOf(asset.type) === null)
    return (
      <Panel flush>
        <EmptyState icon={CardSim} title="This asset is a SIM without a device">
          What devices report is shown of CORE devices, ALPON and Axis gateways.
        </EmptyState>
      </Panel>
    )
  if (error && !data) return <ErrorState title="The device could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel>
        <SkeletonLines lines={8} />
      </Panel>
    )
  const { device } = data
  if (!device || device.presence === 'never') return <SetUpPanel asset={asset} device={device} />
  return children(device)
}
