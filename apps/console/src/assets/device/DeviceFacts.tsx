import type { Device } from '@masthead/contract/devices/device'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { StatusBadge } from '../../ui/StatusDot.tsx'
import { interfacesOf, metricOf, presences, said, technologyOf } from './device-words.ts'

/** Since when it is there or away, and when and from where it was seen last. */
export const PresenceFacts = ({ device }: { device: Device }) => (
  <>
    {device.since && (
      <Fact label={device.presence === 'online' ? 'Online since' : 'Offline since'}>
        <RelativeTime at={device.since} />
      </Fact>
    )}
    <Fact label="Last seen">
      <RelativeTime at={device.last_seen_at} />
    </Fact>
    <Fact label="Last report">
      <RelativeTime at={device.reported_at} />
    </Fact>
    <Fact label="Address">
      <CopyText text={device.last_ip} label="IP address" />
    </Fact>
  </>
)

/** Whether it is there, and by what. */
export function ConnectionPanel({ device }: { device: Device }) {
  const rows = [
    ['Cellular', 'cellular_connection'],
    ['Active interface', 'active_interface'],
    ['Usable interfaces', 'usable_interfaces'],
    ['Operator', 'roaming_operator'],
    ['Technology', 'active_lte_tech'],
    ['Signal', 'signal_quality'],
    ['APN in use', 'selected_apn'],
    ['Faults it solved itself', 'fixed_incident'],
  ] as const
  return (
    <Panel title="Connection" end={<StatusBadge {...presences[device.presence]} />}>
      <div className="-my-1.5">
        <Facts>
          <PresenceFacts device={device} />
          {rows.map(([label, key]) => (
            <Fact key={key} label={label}>
              {key === 'active_lte_tech' ? technologyOf(device) : said(device, 'monitoring', key)}
            </Fact>
          ))}
        </Facts>
      </div>
    </Panel>
  )
}

const systemRows = [
  ['Manager', 'manager_version'],
  ['Agent', 'agent_version'],
  ['Modem', 'modem_name'],
  ['Modem vendor', 'modem_vendor'],
  ['Modem USB vendor id', 'modem_vendor_id'],
  ['Modem USB product id', 'modem_product_id'],
  ['Firmware', 'sw_version'],
  ['IMEI', 'imei'],
  ['ICCID', 'iccid'],
  ['Board', 'board'],
  ['Platform', 'platform'],
  ['Machine', 'machine'],
  ['Architecture', 'arc'],
  ['Kernel', 'kernel'],
  ['Host name', 'host_name'],
] as const

/** What it is made of, as it says itself. */
export function SystemPanel({ device }: { device: Device }) {
  return (
    <Panel title="System">
      <div className="-my-1.5">
        <Facts>
          {systemRows.map(([label, key]) => (
            <Fact key={key} label={label}>
              <span className="wrap-anywhere">{said(device, 'system', key)}</span>
            </Fact>
          ))}
        </Facts>
      </div>
    </Panel>
  )
}

/** Its ways to the internet, in the order in which it uses them. */
export function InterfacesPanel({ device, end }: { device: Device; end?: ReactNode }) {
  const interfaces = interfacesOf(device)
  return (
    <Panel flush title="Interfaces" note="the lowest metric is used" end={end}>
      {interfaces.length === 0 ? (
        <p className="px-4 py-3 text-fg-3">The device has not reported any.</p>
      ) : (
        <ol className="divide-y divide-line" aria-label="Interfaces, the one in use first">
          {interfaces.map((each) => (
            <li key={each.name} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5">
              <span className="min-w-0 flex-1">
                <span className="font-medium">{each.type}</span> <span className="mono text-fg-2">{each.name}</span>
                <span className="block text-xs text-fg-3">{each.active ? 'in use' : each.connected ? 'ready' : 'no internet'}</span>
              </span>
              <span className="tnum text-fg-2">
                priority {each.priority}, metric {metricOf(each).toLocaleString('en-US')}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
