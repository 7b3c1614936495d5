import type { Asset } from '@masthead/contract/assets/asset'
import type { Device } from '@masthead/contract/devices/device'
import { maintenanceState, services, type Updatable, type MaintenanceState } from '@masthead/contract/devices/maintenance'
import { updateDevice } from '@masthead/contract/devices/operations'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useClock } from '../../kit/clock.ts'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import type { Status } from '../../ui/status.ts'
import { maintenanceSteps, said } from './device-words.ts'

const states: Record<MaintenanceState, { status: Status; label: string }> = {
  waiting: { status: 'pending', label: 'Waits for the device' },
  unanswered: { status: 'warning', label: 'Stalled: the device did not answer within a day' },
  downloading: { status: 'busy', label: 'Downloads' },
  restarting: { status: 'busy', label: 'Restarts' },
  unclear: { status: 'busy', label: 'At work: what the device says of it is not known here' },
  done: { status: 'done', label: 'Done' },
  stalled: { status: 'warning', label: 'Stalled: no other version after 15 minutes' },
}
const names: Record<Updatable, string> = { manager: 'Manager', agent: 'Agent' }

/** Versions of what runs on a CORE device, and updating them. */
export function MaintenancePanel({ asset, device }: { asset: Asset; device: Device }) {
  const [updating, setUpdating] = useState<Updatable | null>(null)
  const [beta, setBeta] = useState(false)
  const { maintenance } = device
  const open = (service: Updatable) => {
    setBeta(false)
    setUpdating(service)
  }
  const state = useClock((now) => (maintenance ? maintenanceState(maintenance, device.reported.system ?? {}, +now) : 'none'))
  return (
    <Panel title="Maintenance">
      <div className="-my-1.5">
        <Facts>
          {services.map((service) => (
            <Fact key={service} label={names[service]}>
              <span className="grid justify-items-start gap-1">
                {said(device, 'system', `${service}_version`)}
                <ActionButton operation={updateDevice} size="small" icon={Download} onClick={() => open(service)}>
                  Update {service}
                </ActionButton>
              </span>
            </Fact>
          ))}
          {maintenance && state !== 'none' && (
            <Fact label={`Update of ${maintenance.services.join(' and ')}${maintenance.beta ? ', beta' : ''}`}>
              <span className="flex flex-wrap items-center gap-x-3">
                <StatusDot {...states[state]} />
                <span className="text-fg-3">
                  asked <RelativeTime at={maintenance.requested_at} />
                </span>
              </span>
            </Fact>
          )}
        </Facts>
      </div>
      <p className="pt-3 text-xs text-pretty text-fg-3">The agent does nothing on a restart alone. An update restarts what it updates.</p>
      {maintenance && state !== 'none' && (
        <div className="pt-4">
          <Stepper label="Progress of the update" steps={maintenanceSteps(maintenance, state)} />
        </div>
      )}
      {updating && (
        <ConfirmCall
          onClose={() => setUpdating(null)}
          operation={updateDevice}
          input={{ params: { asset_id: asset.id }, body: { update: [updating], beta } }}
          title={`Update the ${updating} of ${asset.name}?`}
          confirm="Update"
          done="The device was asked to update"
        >
          <p>It fetches the newest version and restarts the {updating}. A device that is offline is asked when it is back, within a day.</p>
          <Checkbox checked={beta} onChange={({ target }) => setBeta(target.checked)}>
            From the beta channel: what is not released yet
          </Checkbox>
        </ConfirmCall>
      )}
    </Panel>
  )
}
