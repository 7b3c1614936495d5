import type { Asset } from '@masthead/contract/assets/asset'
import { isApplied, type ConfigRequest } from '@masthead/contract/devices/config'
import type { Device } from '@masthead/contract/devices/device'
import { configureDevice, withdrawConfig } from '@masthead/contract/devices/operations'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { later } from '../../kit/later.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { configName, configNamesOf, configResult, configSteps, configValue } from './device-words.ts'

const ConfigForm = later(() => import('./ConfigForm.tsx').then((file) => file.ConfigForm))

/** What is wanted beside what the device reports, and how far the last change has come. */
export function ConfigPanel({ asset, device }: { asset: Asset; device: Device }) {
  const [changing, setChanging] = useState(false)
  const reported = device.reported.config ?? {}
  const keys = [...new Set([...Object.keys(device.desired), ...Object.keys(reported)])].toSorted()
  const [last] = device.configs
  return (
    <Panel
      flush
      title="Configuration"
      end={
        <ActionButton operation={configureDevice} size="small" icon={Settings2} onClick={() => setChanging(true)}>
          Change
        </ActionButton>
      }
    >
      {last && last.state !== 'withdrawn' && <LastChange asset={asset} device={device} last={last} />}
      {keys.length === 0 ? (
        <p className="px-4 py-3 text-fg-3">The device has not reported its configuration, and nothing was changed here.</p>
      ) : (
        <ol className="divide-y divide-line" aria-label="Configuration, key by key">
          {keys.map((key) => (
            <ConfigRow key={key} name={key} wanted={device.desired[key]} reported={reported[key]} />
          ))}
        </ol>
      )}
      {changing && <ConfigForm asset={asset} device={device} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

function ConfigRow({ name, wanted, reported }: { name: string; wanted: unknown; reported: unknown }) {
  const applied = wanted === undefined ? undefined : isApplied(wanted, reported)
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 @md:grid-cols-[200px_minmax(0,1fr)_minmax(0,1fr)_110px]">
      <span className="text-fg-2" title={name}>
        {configName(name)}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="text-xs text-fg-3">wanted </span>
        {configValue(name, wanted)}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="text-xs text-fg-3">reported </span>
        {configValue(name, reported)}
      </span>
      {wanted !== undefined && (
        <StatusDot
          status={applied === undefined ? 'pending' : applied ? 'done' : 'warning'}
          label={applied === undefined ? 'Not reported' : applied ? 'The same' : 'Differs'}
        />
      )}
    </li>
  )
}

function LastChange({ asset, device, last }: { asset: Asset; device: Device; last: ConfigRequest }) {
  const [withdrawing, setWithdrawing] = useState(false)
  const { applied, silent } = configResult(last.configs, device.reported.config ?? {})
  return (
    <div className="grid gap-2 border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>
          Change of {configNamesOf(Object.keys(last.configs))} <RelativeTime at={last.created_at} />
        </span>
        {last.state === 'created' && (
          <span className="ml-auto">
            <ActionButton operation={withdrawConfig} size="small" color="ghost" onClick={() => setWithdrawing(true)}>
              Withdraw
            </ActionButton>
          </span>
        )}
      </div>
      <Stepper label="Change of configuration" steps={configSteps(last, applied)} />
      {applied && silent.length > 0 && <p className="text-xs text-fg-3">The device does not report {configNamesOf(silent)}.</p>}
      {withdrawing && (
        <ConfirmCall
          onClose={() => setWithdrawing(false)}
          operation={withdrawConfig}
          input={{ params: { asset_id: asset.id, config_id: last.id } }}
          title="Withdraw this change?"
          confirm="Withdraw"
          done="The change is withdrawn"
        >
          {last.published_at
            ? 'It was sent to the device, which has not answered. If the device has it all the same, it applies it, and the change is shown here again.'
            : 'The device does not have it yet, and does not get it any more.'}
        </ConfirmCall>
      )}
    </div>
  )
}
