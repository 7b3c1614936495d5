import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAgent, getApplication } from '@masthead/contract/devices/agent/operations'
import type { Device } from '@masthead/contract/devices/device'
import { Link } from 'react-router'
import { q } from '../../api/query.ts'
import { useClock } from '../../kit/clock.ts'
import { Panel } from '../../ui/Panel.tsx'
import { StateShape, type Shape, type Tone } from '../../ui/StateShape.tsx'
import { StatusBadge } from '../../ui/StatusDot.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { serviceOf, type Service } from '../service-path.ts'
import { deviceStatus } from './device-status.ts'

const marks: Record<Service['tone'], { shape: Shape; tone: Tone }> = {
  ok: { shape: 'done', tone: 'ok' },
  bad: { shape: 'octagon', tone: 'bad' },
  idle: { shape: 'ring', tone: 'idle' },
  info: { shape: 'half', tone: 'info' },
}

/** What the device needs to be in operation, in order, and whether its SIM has service. */
export function StatusPanel({ asset, device }: { asset: Asset; device: Device }) {
  const params = { asset_id: asset.id }
  const isAgent = device.kind === 'agent'
  const { data: application } = useQuery({ ...q(getApplication, { params }), enabled: isAgent })
  const { data: agent } = useQuery({ ...q(getAgent, { params }), enabled: isAgent })
  const minute = useClock((now) => Math.floor(now / 60_000)) * 60_000
  const { status, label, steps } = deviceStatus({ asset, device, application, agent, now: minute })
  return (
    <Panel
      flush
      title="Status"
      note="what this device needs to be in operation, in order"
      end={<StatusBadge status={status} label={label} />}
    >
      <div className="px-4 py-3">
        <Stepper label="Status of the device" steps={steps} />
      </div>
      <SimLine asset={asset} now={minute} />
    </Panel>
  )
}

function SimLine({ asset: { id, sim }, now }: { asset: Asset; now: number }) {
  if (!sim) return <p className="border-t border-line px-4 py-2.5 text-fg-3">No SIM is in this asset.</p>
  const { tone, title, words } = serviceOf(sim, Math.max(now, Date.parse(sim.state_changed_at ?? '') || 0))
  return (
    <div className="flex flex-wrap items-start gap-x-2.5 gap-y-1 border-t border-line px-4 py-2.5">
      <StateShape {...marks[tone]} className="mt-1" />
      <p className="min-w-0 flex-[1_1_14rem] text-pretty">
        <span className="text-fg-3">SIM </span>
        <span className="font-medium">{title}</span>
        {tone !== 'ok' && words.length > 0 && <span className="block text-fg-2">{words.join(' ')}</span>}
      </p>
      <Link className="link" to={`/assets/${id}`}>
        Service of the SIM
      </Link>
    </div>
  )
}
