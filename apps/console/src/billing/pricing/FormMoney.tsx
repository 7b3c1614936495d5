import { Controller, get, useFormContext } from 'react-hook-form'
import { NumberField } from '../../ui/NumberField.tsx'

/** An amount of the form around it: people type the currency, the body has whole micros. */
export function FormMoney({ name, label, hideLabel }: { name: string; label: string; hideLabel?: boolean }) {
  const error = (get(useFormContext().formState.errors, name) as { message?: string } | undefined)?.message
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <NumberField
          label={label}
          {...(hideLabel && { hideLabel })}
          min={0}
          decimals={6}
          value={typeof field.value === 'number' ? field.value / 1_000_000 : null}
          onChange={(value) => field.onChange(value === null ? null : Math.round(value * 1_000_000))}
          error={error}
        />
      )}
    />
  )
}
