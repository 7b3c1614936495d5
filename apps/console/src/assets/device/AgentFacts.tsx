import type { ReportedState, Vitals } from '@masthead/contract/devices/agent/messages'
import type { Device } from '@masthead/contract/devices/device'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'

const kinds = { E: 'Ethernet', W: 'Wi-Fi', C: 'Cellular', X: 'Other' } as const
const share = (used: number, total: number) =>
  total > 0 ? `${formatBytes(used)} of ${formatBytes(total)}, ${((used / total) * 100).toFixed(0)} %` : '—'

/** How the device is, as our agent measured it last. */
export function VitalsPanel({ device }: { device: Device }) {
  const vitals = device.reported.vitals as Partial<Vitals> | undefined
  const state = device.reported.agent as Partial<ReportedState> | undefined
  if (!vitals?.at) return null
  return (
    <Panel title="Vitals" note={<RelativeTime at={vitals.at} />}>
      <div className="-my-1.5">
        <Facts>
          <Fact label="Processor">
            {vitals.cpu_pct == null ? '—' : `${vitals.cpu_pct.toFixed(2)} %`}
            {vitals.cores ? `, ${vitals.cores} cores` : ''}
          </Fact>
          <Fact label="Memory">{share(vitals.memory_used_bytes ?? 0, vitals.memory_total_bytes ?? 0)}</Fact>
          <Fact label="Disk">{share(vitals.disk_used_bytes ?? 0, vitals.disk_total_bytes ?? 0)}</Fact>
          <Fact label="Temperature">{vitals.temperature_c == null ? '—' : `${vitals.temperature_c.toFixed(2)} °C`}</Fact>
          {vitals.undervolted != null && <Fact label="Power supply">{vitals.undervolted ? 'Too low' : 'Good'}</Fact>}
          <Fact label="Started">{state?.booted_at ? <RelativeTime at={state.booted_at} /> : '—'}</Fact>
        </Facts>
      </div>
    </Panel>
  )
}

/** What our agent says of the device: its interfaces and its versions. */
export function AgentFacts({ device }: { device: Device }) {
  const state = device.reported.agent as Partial<ReportedState> | undefined
  return (
    <>
      {state?.interfaces && state.interfaces.length > 0 && (
        <Panel flush title="Interfaces">
          <ul className="divide-y divide-line" aria-label="Interfaces">
            {state.interfaces.map(({ name, kind, up, addresses, metric }) => (
              <li key={name} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5">
                <span className="min-w-0 flex-1">
                  <span className="font-medium">{kinds[kind] ?? 'Other'}</span> <span className="mono text-fg-2">{name}</span>
                  <span className="mono block text-xs wrap-anywhere text-fg-3">{addresses.join(', ') || 'no address'}</span>
                </span>
                <span className="text-fg-2">{metric === null ? '' : `metric ${metric}`}</span>
                <StatusDot status={up ? 'online' : 'offline'} label={up ? 'Up' : 'Down'} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {state?.versions && (
        <Panel title="System">
          <div className="-my-1.5">
            <Facts>
              <Fact label="Host name">{state.host?.name ?? '—'}</Fact>
              <Fact label="Model">{state.host?.model ?? '—'}</Fact>
              <Fact label="Platform">{state.host ? `linux/${state.host.arch}` : '—'}</Fact>
              <Fact label="System">{state.versions.os}</Fact>
              <Fact label="Kernel">{state.versions.kernel}</Fact>
              <Fact label="Agent">{state.versions.agent}</Fact>
              <Fact label="Containers">{state.versions.engine ?? '—'}</Fact>
            </Facts>
          </div>
        </Panel>
      )}
    </>
  )
}
