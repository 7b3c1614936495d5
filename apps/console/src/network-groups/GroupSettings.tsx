import { leastLimit, mostLimit, type NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { limitPeriods } from '@masthead/contract/assets/sim'
import { type Technology, technologies } from '@masthead/contract/networks/network'
import { useState } from 'react'
import { Checkbox, Switch } from '../ui/Checkbox.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { Panel } from '../ui/Panel.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { Select } from '../ui/Select.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { Draft, Fields } from './draft.ts'

type Props = { now: Fields; locked: boolean; onChange: (change: Draft) => void }

const units = { MB: 1_000_000, GB: 1_000_000_000, TB: 1_000_000_000_000 }
type Unit = keyof typeof units
const unitOf = (bytes: number): Unit => (bytes >= units.TB ? 'TB' : bytes >= units.GB ? 'GB' : 'MB')
const usual = units.GB

/** How much each SIM may use, and what happens then. */
export function DataPanel({ group, now, locked, onChange }: Props & { group: NetworkGroup | null }) {
  const { limit_bytes, limit_period, on_limit } = now
  const [unit, setUnit] = useState<Unit>(unitOf(limit_bytes ?? usual))
  const bounds = { min: leastLimit / units[unit], max: mostLimit / units[unit] }
  return (
    <Panel title="Data">
      <div className="grid gap-4">
        <div className="grid gap-2">
          <div className="flex items-end gap-2">
            <NumberField
              label={`Limit per SIM and ${limit_period}`}
              value={limit_bytes === null ? null : limit_bytes / units[unit]}
              {...bounds}
              decimals={2}
              disabled={locked || limit_bytes === null}
              className="min-w-0 flex-1"
              // Emptied it is another one begun: no limit is ticked below, and the least one would block SIMs.
              onChange={(value) => value !== null && onChange({ limit_bytes: Math.round(value * units[unit]) })}
            />
            <Select
              label="Unit"
              hideLabel
              className="w-20"
              disabled={locked || limit_bytes === null}
              value={unit}
              options={(Object.keys(units) as Unit[]).map((value) => ({ value, label: value }))}
              onChange={setUnit}
            />
          </div>
          <Checkbox
            checked={limit_bytes === null}
            disabled={locked}
            onChange={({ target }) => {
              setUnit(unitOf(usual))
              onChange({ limit_bytes: target.checked ? null : usual })
            }}
          >
            No limit
          </Checkbox>
          <p className="text-xs text-fg-3">
            1 MB to 2 TB. A SIM’s own limit wins over it.
            {group && group.limit_bytes !== null && group.sims_at_limit > 0 && (
              <>
                {' '}
                {group.sims_at_limit.toLocaleString('en')} of {group.sims.toLocaleString('en')} SIMs reached it{' '}
                {limitPeriods[group.limit_period]}.
              </>
            )}
          </p>
        </div>
        {limit_bytes !== null && (
          <>
            <Select
              label="Counted by"
              disabled={locked}
              value={limit_period}
              options={[
                { value: 'month', label: 'Calendar month, UTC' },
                { value: 'day', label: 'Day, UTC' },
              ]}
              onChange={(period) => onChange({ limit_period: period })}
            />
            <RadioGroup
              label="When a SIM reaches it"
              value={on_limit}
              disabled={locked}
              choices={[
                { value: 'block', label: `Block it until the ${limit_period} ends`, about: 'Its session is cut at once.' },
                { value: 'alert', label: 'Notify only', about: 'An alert, once a period. The SIM goes on.' },
              ]}
              onChange={(value) => onChange({ on_limit: value })}
            />
          </>
        )}
      </div>
    </Panel>
  )
}

const rats = Object.keys(technologies) as Technology[]

/** By what SIMs connect, and what new ones are given. */
export function NetworkPanel({ now, locked, onChange }: Props) {
  const chosen = now.rats ?? rats
  const press = (rat: Technology) => {
    const next = rats.filter((each) => (each === rat) !== chosen.includes(each))
    if (next.length > 0) onChange({ rats: next.length === rats.length ? null : next })
  }
  return (
    <Panel title="Network">
      <div className="grid gap-4">
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">Technologies</legend>
          <div className="grid grid-cols-3 gap-2">
            {rats.map((rat) => (
              <Checkbox
                key={rat}
                checked={chosen.includes(rat)}
                disabled={locked || (chosen.length === 1 && chosen.includes(rat))}
                onChange={() => press(rat)}
              >
                {technologies[rat]}
              </Checkbox>
            ))}
          </div>
        </fieldset>
        <TextField
          label="APN"
          hint="What devices of the group are to use. It is shown with each asset."
          mono
          disabled={locked}
          autoComplete="off"
          value={now.apn ?? ''}
          onChange={({ target }) => onChange({ apn: target.value.trim() === '' ? null : target.value })}
        />
        <div className="flex items-center justify-between gap-3">
          <span className="grid">
            <span className="font-medium">Lock SIMs to their device</span>
            <span className="text-xs text-fg-3">To the first IMEI they are seen in, where they have no lock of their own.</span>
          </span>
          <Switch
            label="Lock SIMs to their device"
            checked={now.imei_lock}
            disabled={locked}
            onChange={(imei_lock) => onChange({ imei_lock })}
          />
        </div>
      </div>
    </Panel>
  )
}
