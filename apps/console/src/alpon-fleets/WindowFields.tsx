import type { Window } from '@masthead/contract/alpon-fleets/rollout'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useListError } from '../kit/FormLines.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { timeZoneOptions } from '../kit/time-zones.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { TextField } from '../ui/TextField.tsx'
import { minuteOfTime, timeOfMinute, weekdays, weekOrder } from './window-words.ts'

const nights = (): Window => ({
  days: [...weekOrder],
  from_minute: 22 * 60,
  to_minute: 5 * 60,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** When devices may be started: at any time, or on some days from one time to another. `name` is the field of the body. */
export function WindowFields({
  name = 'plan.window',
  label = 'Start devices in a maintenance window only',
}: {
  name?: string
  label?: string
}) {
  const { setValue } = useFormContext()
  const window = useWatch({ name }) as Window | null
  const error = useListError(`${name}.days`)
  const [zones] = useState(() => timeZoneOptions('UTC'))
  return (
    <fieldset className="grid gap-4">
      <Checkbox
        checked={window !== null}
        onChange={({ target }) => setValue(name, target.checked ? nights() : null, { shouldDirty: true })}
      >
        {label}
      </Checkbox>
      {window && (
        <div className="grid gap-4 pl-6">
          <div role="group" aria-label="Days" className="flex flex-wrap gap-x-4 gap-y-2">
            {weekOrder.map((day) => (
              <Checkbox
                key={day}
                checked={window.days.includes(day)}
                onChange={({ target }) =>
                  setValue(`${name}.days`, target.checked ? [...window.days, day] : window.days.filter((other) => other !== day), {
                    shouldValidate: true,
                  })
                }
              >
                {weekdays[day]}
              </Checkbox>
            ))}
          </div>
          {error && <p className="text-xs text-bad-fg">{error}</p>}
          <div className="grid gap-4 @sm:grid-cols-[6rem_6rem_minmax(0,1fr)]">
            <Minute path={`${name}.from_minute`} label="From" />
            <Minute path={`${name}.to_minute`} label="To" />
            <FormSelect name={`${name}.timezone`} label="Time zone" search options={zones} />
          </div>
        </div>
      )}
    </fieldset>
  )
}

/** A time of the day, kept as its minute. */
function Minute({ path, label }: { path: string; label: string }) {
  const { setValue, getValues, formState } = useFormContext()
  const [text, setText] = useState(() => timeOfMinute(getValues(path) as number))
  const error = useListError(path)
  return (
    <TextField
      label={label}
      value={text}
      placeholder="22:00"
      inputMode="numeric"
      autoComplete="off"
      error={error}
      onChange={({ target }) => {
        setText(target.value)
        setValue(path, minuteOfTime(target.value), { shouldValidate: formState.isSubmitted })
      }}
    />
  )
}
