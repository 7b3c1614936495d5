import type { Currency } from '@masthead/contract/billing/money'
import { useState } from 'react'
import { NumberField } from '../ui/NumberField.tsx'
import { mostAsked } from './money-words.ts'

/** How much was added or taken away, as filters of a list: from `least` to `most`, in units of the currency; empty: any. */
export function AmountRange({ least, most, currency, onChange }: AmountRangeProps) {
  return (
    <div className="flex flex-none gap-2">
      <Amount label="At least" value={least} currency={currency} onChange={(amount) => onChange({ least: amount })} />
      <Amount label="At most" value={most} currency={currency} onChange={(amount) => onChange({ most: amount })} />
    </div>
  )
}

type AmountRangeProps = {
  least: string
  most: string
  currency: Currency
  onChange: (patch: { least: string } | { most: string }) => void
}
type AmountProps = { label: string; value: string; currency: Currency; onChange: (value: string) => void }

/** It is asked for once the field is left or Enter pressed, so not for each digit. */
function Amount({ label, value, currency, onChange }: AmountProps) {
  const asked = value === '' || !(Number(value) >= 0) ? null : Number(value)
  const [typed, setTyped] = useState<{ amount: number | null } | null>(null)
  const take = () => {
    if (typed && typed.amount !== asked) onChange(typed.amount === null ? '' : String(typed.amount))
    setTyped(null)
  }
  return (
    <NumberField
      label={label}
      hideLabel
      placeholder={label}
      className="w-32"
      min={0}
      max={mostAsked}
      unit={currency}
      value={typed ? typed.amount : asked}
      onChange={(amount) => setTyped({ amount })}
      onKeyDown={({ key }) => key === 'Enter' && take()}
      onBlur={take}
    />
  )
}
