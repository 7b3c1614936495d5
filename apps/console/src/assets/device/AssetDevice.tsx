import type { Asset } from '@masthead/contract/assets/asset'
import { Link } from 'react-router'
import { AccessCodePanel, OpenTerminalButton, SessionsPanel } from '../../terminal/index.ts'
import { Panel } from '../../ui/Panel.tsx'
import { AgentFacts, VitalsPanel } from './AgentFacts.tsx'
import { AgentOfDevice } from './AgentOfDevice.tsx'
import { ClaimCode } from './ClaimCode.tsx'
import { ConnectionPanel, InterfacesPanel, SystemPanel } from './DeviceFacts.tsx'
import { VitalsHistory } from './VitalsHistory.tsx'
import { DeviceLoader } from './DeviceLoader.tsx'
import { NewToken } from './SetUpPanel.tsx'
import { StatusPanel } from './StatusPanel.tsx'

/** The asset's device tab (domain §1.4): what the device says of itself. */
export function AssetDevice({ asset }: { asset: Asset }) {
  return (
    <DeviceLoader asset={asset}>
      {(device) => (
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center gap-2">
            {asset.type === 'core' && (
              <Link className="link" to={`/assets/${asset.id}/core`}>
                Configuration and maintenance
              </Link>
            )}
            <span className="ml-auto flex flex-wrap gap-2">
              <OpenTerminalButton asset={asset} device={device} />
              {asset.type === 'core' && <NewToken asset={asset} device={device} />}
            </span>
          </div>
          <StatusPanel asset={asset} device={device} />
          <div className="grid items-start gap-5 @lg:grid-cols-2">
            <div className="grid min-w-0 gap-5">
              <ConnectionPanel device={device} />
              {device.kind === 'agent' && <AgentOfDevice asset={asset} />}
              <SessionsPanel asset_id={asset.id} />
              <AccessCodePanel asset={asset} />
              {asset.type !== 'core' && (
                <Panel title="Another device">
                  <div className="grid gap-3">
                    <p className="text-fg-2 text-pretty">
                      When the device was replaced or set up anew, a claim code makes that one this asset. The previous one is disconnected
                      then.
                    </p>
                    <ClaimCode asset={asset} again />
                  </div>
                </Panel>
              )}
            </div>
            <div className="grid min-w-0 gap-5">
              <VitalsPanel device={device} />
              {device.reported.agent ? (
                <AgentFacts device={device} />
              ) : (
                <>
                  <InterfacesPanel device={device} />
                  <SystemPanel device={device} />
                </>
              )}
            </div>
          </div>
          {device.kind === 'agent' && <VitalsHistory asset_id={asset.id} />}
        </div>
      )}
    </DeviceLoader>
  )
}
