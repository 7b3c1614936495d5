import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getNetwork } from '@masthead/contract/devices/network/operations'
import { networkState } from '@masthead/contract/devices/network/view'
import { Network as NetworkIcon } from 'lucide-react'
import { Link } from 'react-router'
import { q } from '../../../api/query.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/EmptyState.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { OfflineNotice } from '../../OfflineNotice.tsx'
import { ChangePanel } from './ChangePanel.tsx'
import { EsimPanel } from './EsimPanel.tsx'
import { InterfaceOrder } from './InterfaceOrder.tsx'
import { ModemPanel } from './ModemPanel.tsx'
import { SimAccessPanel } from './SimAccessPanel.tsx'
import { WifiPanel } from './WifiPanel.tsx'

/** The network of the device of an asset (domain §1.4): what is wanted, and what the device says. */
export function DeviceNetwork({ asset }: { asset: Asset }) {
  const { data, error, refetch } = useQuery(q(getNetwork, { params: { asset_id: asset.id } }))
  if (error && !data)
    return <ErrorState title="The network of the device could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Panel title="Interfaces">
        <SkeletonLines lines={4} />
      </Panel>
    )
  if (!data.device)
    return (
      <Panel flush>
        <EmptyState
          icon={NetworkIcon}
          title="No device is set up yet"
          actions={
            <Link className={buttonClass('primary-solid')} to={`/assets/${asset.id}/device`}>
              Set up the device
            </Link>
          }
        >
          The order of its interfaces, its APN and its SIM PIN are set here once there is one.
        </EmptyState>
      </Panel>
    )
  const { reported } = data
  return (
    <div className="grid gap-5">
      {reported?.words && (
        <Notice tone="warn">
          The device carries out no network settings: <span className="mono text-xs wrap-anywhere">{reported.words}</span>
        </Notice>
      )}
      {!data.device.online && <OfflineNotice since={data.device.since} waits={networkState(data) === 'pending'} />}
      <ChangePanel asset={asset} network={data} online={data.device.online} />
      <InterfaceOrder key={data.wanted?.generation ?? 0} asset={asset} network={data} />
      <div className="grid items-start gap-5 @lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          <SimAccessPanel asset={asset} network={data} />
          <WifiPanel asset={asset} network={data} />
        </div>
        <div className="grid min-w-0 gap-5">
          <ModemPanel reported={reported} />
          <EsimPanel asset={asset} network={data} />
        </div>
      </div>
    </div>
  )
}
