import { useQuery } from '@tanstack/react-query'
import { getAsset } from '@masthead/contract/assets/operations'
import { Cpu } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { q } from '../../api/query.ts'
import { Breadcrumbs } from '../../kit/Breadcrumbs.tsx'
import { NotThere } from '../../kit/NotThere.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { OpenTerminalButton } from '../../terminal/index.ts'
import { OfflineNotice } from '../OfflineNotice.tsx'
import { ConfigPanel } from './ConfigPanel.tsx'
import { CellPanel, CoreConnection } from './CoreConnection.tsx'
import { ConnectionPanel, InterfacesPanel, SystemPanel } from './DeviceFacts.tsx'
import { DeviceLoader } from './DeviceLoader.tsx'
import { OrderButton } from './OrderButton.tsx'
import { MaintenancePanel } from './MaintenancePanel.tsx'

/** The dashboard of a CORE device (domain §1.5): how it is, how it is to be set, and its updates. */
export default function CoreScreen() {
  const { assetID = '' } = useParams()
  const { data: asset, error, refetch } = useQuery(q(getAsset, { params: { asset_id: assetID } }))
  const way = [
    { label: 'Assets', to: '/assets' },
    { label: asset?.name ?? assetID, to: `/assets/${assetID}` },
  ]
  return (
    <>
      <Banner
        title={asset?.name ?? 'CORE device'}
        crumbs={<Breadcrumbs way={way} here="CORE" named />}
        meta={<span>CORE device dashboard</span>}
      />
      {error && !asset ? (
        error.status === 404 ? (
          <NotThere title="Asset not found" to={`/assets?search=${encodeURIComponent(assetID)}`} way="Search the list">
            No asset of this account has the id, serial number or ICCID <span className="mono wrap-anywhere">{assetID}</span>.
          </NotThere>
        ) : (
          <ErrorState title="The asset could not be loaded" failure={error} onRetry={() => void refetch()} />
        )
      ) : !asset ? (
        <Panel>
          <SkeletonLines lines={8} />
        </Panel>
      ) : asset.type !== 'core' ? (
        <Panel flush>
          <EmptyState
            icon={Cpu}
            title="This asset is no CORE device"
            actions={
              <Link className="link" to={`/assets/${asset.id}`}>
                Open the asset
              </Link>
            }
          >
            Configuration and maintenance by this dashboard are of CORE devices alone.
          </EmptyState>
        </Panel>
      ) : (
        <DeviceLoader asset={asset}>
          {(device) => (
            <div className="grid items-start gap-5 @lg:grid-cols-[minmax(0,1fr)_316px]">
              <div className="grid min-w-0 gap-5">
                {device.presence !== 'online' && <OfflineNotice since={device.since} />}
                <CoreConnection device={device} />
                <ConfigPanel asset={asset} device={device} />
                <InterfacesPanel device={device} end={<OrderButton asset={asset} device={device} />} />
                <SystemPanel device={device} />
              </div>
              <div className="grid min-w-0 gap-5">
                <div className="flex">
                  <OpenTerminalButton asset={asset} device={device} />
                </div>
                <ConnectionPanel device={device} />
                <MaintenancePanel asset={asset} device={device} />
                <CellPanel device={device} />
              </div>
            </div>
          )}
        </DeviceLoader>
      )}
    </>
  )
}
