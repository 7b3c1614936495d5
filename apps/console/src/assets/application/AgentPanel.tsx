import type { Asset } from '@masthead/contract/assets/asset'
import type { Application } from '@masthead/contract/devices/agent/application'
import { rebootDevice, requestAgentLogs } from '@masthead/contract/devices/agent/operations'
import { FileText, Power } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmButton } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { AgentUpdateNotice, AgentVersion } from './AgentVersion.tsx'
import { DeviceCertificate } from './DeviceCertificate.tsx'

const AgentLogModal = later(() => import('./AgentLogModal.tsx').then((file) => file.AgentLogModal))

/** The agent of a device: its version and update, its log, and a reboot of the device. */
export function AgentPanel({ asset, device }: { asset: Asset; device: NonNullable<Application['device']> }) {
  const [reading, setReading] = useState(false)
  return (
    <Panel
      flush
      title="Agent"
      end={
        <span className="flex flex-wrap gap-2">
          <ActionButton operation={requestAgentLogs} size="small" icon={FileText} onClick={() => setReading(true)}>
            Read log
          </ActionButton>
          <ConfirmButton
            operation={rebootDevice}
            input={{ params: { asset_id: asset.id } }}
            label="Reboot"
            icon={Power}
            size="small"
            title={`Reboot ${asset.name}?`}
            confirmColor="danger"
            done="The device was asked to reboot"
          >
            Its containers stop and start again. One that is offline reboots if it is back within 10 minutes.
          </ConfirmButton>
        </span>
      }
    >
      <AgentUpdateNotice asset={asset} online={device.online} />
      <div className="px-4 py-2.5">
        <Facts>
          <Fact label="Connection">
            <StatusDot status={device.online ? 'online' : device.since ? 'offline' : 'never_seen'} />{' '}
            {device.since && (
              <span className="text-fg-3">
                since <RelativeTime at={device.since} />
              </span>
            )}
          </Fact>
          <Fact label="Agent">
            <AgentVersion asset={asset} online={device.online} />
          </Fact>
          <Fact label="Certificate">
            <DeviceCertificate asset={asset} />
          </Fact>
          <Fact label="Engine">{device.engine ?? '—'}</Fact>
        </Facts>
      </div>
      {reading && <AgentLogModal asset={asset} online={device.online} onClose={() => setReading(false)} />}
    </Panel>
  )
}
