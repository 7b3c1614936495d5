import type { Asset } from '@masthead/contract/assets/asset'
import { configRanges, isApplied, logLevels, type ConfigChange } from '@masthead/contract/devices/config'
import type { Device } from '@masthead/contract/devices/device'
import { configureDevice } from '@masthead/contract/devices/operations'
import { FormCheckbox, FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormLines } from '../../kit/FormLines.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { FormModal } from '../../kit/FormModal.tsx'

const hint = (name: keyof typeof configRanges) => {
  const { min, max, usual } = configRanges[name]
  return `${min} to ${max} s, usually ${usual}`
}

/** Starts with what is wanted or reported now; what is left as it was is not sent. */
export function ConfigForm({ asset, device, onClose }: { asset: Asset; device: Device; onClose: () => void }) {
  const now = { ...device.reported.config, ...device.desired }
  const values = {
    ...(typeof now.apn === 'string' && { apn: now.apn }),
    ...(typeof now.check_internet_interval === 'number' && { check_internet_interval: now.check_internet_interval }),
    ...(typeof now.send_monitoring_data_interval === 'number' && { send_monitoring_data_interval: now.send_monitoring_data_interval }),
    ...(typeof now.ping_timeout === 'number' && { ping_timeout: now.ping_timeout }),
    ...(typeof now.other_ping_timeout === 'number' && { other_ping_timeout: now.other_ping_timeout }),
    debug_mode: now.debug_mode === true,
    verbose_mode: now.verbose_mode === true,
    network_interface_exceptions: Array.isArray(now.network_interface_exceptions) ? now.network_interface_exceptions.map(String) : [],
    ...(logLevels.some((level) => level === now.logger_level) && { logger_level: now.logger_level as (typeof logLevels)[number] }),
  }
  // What was never wanted of a device and is not reported is off, or none.
  const isAsItIs = (key: string, value: unknown) => isApplied(value, now[key]) ?? (value === false || String(value) === '')
  const changed = (body: ConfigChange): ConfigChange =>
    Object.fromEntries(Object.entries(body).filter(([key, value]) => value !== null && value !== undefined && !isAsItIs(key, value)))
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Configuration of ${asset.name}`}
      operation={configureDevice}
      values={values}
      input={(body) => ({ params: { asset_id: asset.id }, body: changed(body) })}
      submit="Send changes"
    >
      <FormText
        name="apn"
        label="APN"
        emptyIsNone
        hint="Another APN sets the modem up again. A private one is added to the list of those that it accepts."
      />
      <FormNumber name="check_internet_interval" label="Check internet every (s)" hint={hint('check_internet_interval')} />
      <FormNumber name="send_monitoring_data_interval" label="Report every (s)" hint={hint('send_monitoring_data_interval')} />
      <FormNumber name="ping_timeout" label="Wait for an answer over cellular (s)" hint={hint('ping_timeout')} />
      <FormNumber name="other_ping_timeout" label="Wait for an answer over others (s)" hint={hint('other_ping_timeout')} />
      <FormLines
        name="network_interface_exceptions"
        label="Interfaces left alone"
        hint="One a line. The device neither orders them nor counts them among those that it can use."
        placeholder="tun0"
      />
      <FormSelect
        name="logger_level"
        label="Log level"
        options={logLevels.map((value) => ({ value, label: value }))}
        placeholder="As it is"
      />
      <FormCheckbox name="debug_mode">Debug mode: the manager logs what it does with the modem</FormCheckbox>
      <FormCheckbox name="verbose_mode">Verbose mode: it says more of each step</FormCheckbox>
    </FormModal>
  )
}
