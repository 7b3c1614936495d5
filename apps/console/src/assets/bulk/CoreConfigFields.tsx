import { ConfigChange, configRanges, logLevels } from '@masthead/contract/devices/config'
import { NumberField } from '../../ui/NumberField.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Interval = 'check_internet_interval' | 'send_monitoring_data_interval'
/** A change of the configuration of CORE devices, as it is filled in; what is empty stays as it is on each. */
export type ConfigDraft = { apn: string; exceptions: string; logger_level: (typeof logLevels)[number] | 'same' } & Record<
  Interval,
  number | null
>
export const emptyDraft: ConfigDraft = {
  apn: '',
  exceptions: '',
  check_internet_interval: null,
  send_monitoring_data_interval: null,
  logger_level: 'same',
}

/** The same as the API takes it. */
export function changeOf({ apn, exceptions, logger_level, ...intervals }: ConfigDraft): ConfigChange {
  const { check_internet_interval, send_monitoring_data_interval } = intervals
  return {
    ...(apn.trim() !== '' && { apn: apn.trim() }),
    ...(exceptions.trim() !== '' && { network_interface_exceptions: namesOf(exceptions) }),
    ...(check_internet_interval !== null && { check_internet_interval }),
    ...(send_monitoring_data_interval !== null && { send_monitoring_data_interval }),
    ...(logger_level !== 'same' && { logger_level }),
  }
}

/** Names with commas between; "none" is no name. */
const namesOf = (text: string) =>
  text.trim().toLowerCase() === 'none'
    ? []
    : text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')

/** Why it cannot be asked as it stands, in words. */
export function draftFault(draft: ConfigDraft): string | null {
  const change = changeOf(draft)
  if (Object.keys(change).length === 0) return 'Say what to change first'
  return ConfigChange.safeParse(change).error?.issues[0]?.message ?? null
}

const fields = [
  ['check_internet_interval', 'Check internet every'],
  ['send_monitoring_data_interval', 'Report every'],
] as const

/** What is to be changed of the configuration of CORE devices. */
export function CoreConfigFields({ draft, onChange }: { draft: ConfigDraft; onChange: (draft: ConfigDraft) => void }) {
  const faultOf = (name: 'apn' | 'exceptions') =>
    draft[name].trim() === '' ? undefined : (draftFault({ ...emptyDraft, [name]: draft[name] }) ?? undefined)
  return (
    <>
      <p>What you leave empty stays as it is on each device. A device that is offline gets the change when it is back.</p>
      <TextField
        label="APN"
        autoComplete="off"
        value={draft.apn}
        onChange={(event) => onChange({ ...draft, apn: event.target.value })}
        hint="Another APN sets the modem up again: a wrong one takes the devices off the cellular network."
        error={faultOf('apn')}
      />
      <TextField
        label="Interfaces left alone"
        autoComplete="off"
        value={draft.exceptions}
        onChange={(event) => onChange({ ...draft, exceptions: event.target.value })}
        hint="Names with commas between, like tun0, docker0, in place of those on each device; none for no interface."
        error={faultOf('exceptions')}
      />
      {fields.map(([name, label]) => {
        const { min, max, usual } = configRanges[name]
        return (
          <NumberField
            key={name}
            label={label}
            unit="s"
            decimals={0}
            min={min}
            max={max}
            hint={`${min} to ${max} s, usually ${usual}`}
            value={draft[name]}
            onChange={(value) => onChange({ ...draft, [name]: value })}
          />
        )
      })}
      <Select
        label="Log level"
        options={[{ value: 'same' as const, label: 'As it is' }, ...logLevels.map((value) => ({ value, label: value }))]}
        value={draft.logger_level}
        onChange={(logger_level) => onChange({ ...draft, logger_level })}
      />
    </>
  )
}
