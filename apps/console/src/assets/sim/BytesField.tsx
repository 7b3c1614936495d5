import { mostLimit, mostRaise } from '@masthead/contract/assets/month-limit'
import { useState } from 'react'
import { NumberField } from '../../ui/NumberField.tsx'
import { Select } from '../../ui/Select.tsx'

const units = { MB: 1e6, GB: 1e9, TB: 1e12 } as const
type Unit = keyof typeof units
const unitOf = (bytes: number | null): Unit =>
  bytes === null || bytes >= 1e12 ? (bytes === null ? 'GB' : 'TB') : bytes >= 1e9 ? 'GB' : 'MB'

/** An amount of data as people say it: a number and its unit. Null while it is empty. */
export function BytesField({
  label,
  value,
  onChange,
  error = null,
  hint,
}: {
  label: string
  value: number | null
  onChange: (bytes: number | null) => void
  error?: string | null
  hint?: string
}) {
  const [unit, setUnit] = useState<Unit>(() => unitOf(value))
  const number = value === null ? null : value / units[unit]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_96px] items-start gap-2">
      <NumberField
        label={label}
        value={number}
        min={0}
        decimals={3}
        error={error}
        {...(hint && { hint })}
        onChange={(next) => onChange(next === null ? null : Math.round(next * units[unit]))}
      />
      <Select
        label="Unit"
        options={(Object.keys(units) as Unit[]).map((each) => ({ value: each, label: each }))}
        value={unit}
        onChange={(next) => {
          setUnit(next as Unit)
          if (number !== null) onChange(Math.round(number * units[next as Unit]))
        }}
      />
    </div>
  )
}

/** Why an amount cannot be a limit, in words; null when it can. */
export function limitFault(bytes: number | null): string | null {
  return tooLittle(bytes) ?? (bytes! > mostLimit ? 'A limit is at most 2 TB' : null)
}

/** Why a limit cannot be raised to an amount. */
export function raiseFault(bytes: number | null): string | null {
  return tooLittle(bytes) ?? (bytes! > mostRaise ? 'A limit can be raised to 1,000 TB at most' : null)
}

const tooLittle = (bytes: number | null) => (bytes === null ? 'Enter an amount first' : bytes < 1e6 ? 'A limit is at least 1 MB' : null)
