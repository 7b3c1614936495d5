import { useState } from 'react'
import { clampNumber, cutDecimals, numberKeyAllowed, numberPasteAllowed } from './number-input.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

/** A number with a unit behind it; null while empty. Clamped to `min` and `max` when the field is left (spec §5). */
export function NumberField({
  value,
  onChange,
  min,
  max,
  decimals = 2,
  unit,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'min' | 'max' | 'type' | 'end'> & {
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  decimals?: number
  unit?: string
}) {
  // While typing, "1." must stay "1."; out of the field the value alone says what is shown.
  const [typed, setTyped] = useState<string | null>(null)
  const write = (text: string) => {
    const cut = cutDecimals(text, decimals)
    setTyped(cut)
    const number = cut === '' || cut === '-' ? null : Number(cut)
    onChange(number === null || Number.isNaN(number) ? null : number)
  }
  return (
    <TextField
      {...rest}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      end={unit}
      value={typed ?? (value === null ? '' : String(value))}
      onChange={(event) => write(event.target.value)}
      onKeyDown={(event) => {
        const ctrl = event.ctrlKey || event.metaKey
        if (!numberKeyAllowed(event.key, event.currentTarget.value, { ctrl, decimals })) event.preventDefault()
      }}
      onPaste={(event) => {
        if (!numberPasteAllowed(event.clipboardData.getData('text'))) event.preventDefault()
      }}
      onBlur={(event) => {
        setTyped(null)
        if (value !== null) onChange(clampNumber(value, min, max))
        rest.onBlur?.(event)
      }}
    />
  )
}
