import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { Controller, get, useFormContext } from 'react-hook-form'
import { NumberField } from '../ui/NumberField.tsx'

/** An amount of the form around it: read in units of the currency, sent in whole micros. */
export function FormMoney({
  name,
  label,
  currency,
  min,
  max,
  hint,
}: {
  name: string
  label: string
  currency: Currency
  min: number
  max: number
  hint?: string
}) {
  const error = (get(useFormContext().formState.errors, name) as { message?: string } | undefined)?.message
  const words = (amount: number) => formatMoney(micros(amount), currency)
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <NumberField
          label={label}
          unit={currency}
          hint={hint ?? `${words(min)} to ${words(max)}`}
          min={min / 1e6}
          max={max / 1e6}
          value={field.value === null || field.value === undefined ? null : (field.value as number) / 1e6}
          onChange={(value) => field.onChange(value === null ? null : Math.round(value * 100) * 10_000)}
          error={error}
        />
      )}
    />
  )
}
