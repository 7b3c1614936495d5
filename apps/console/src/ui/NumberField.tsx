import { useState } from 'react'
import { clampNumber, cutDecimals, isNumberBegun, numberKeyAllowed, numberOf, numberPasteAllowed, stepNumber } from './number-input.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

/**
 * A number with a unit behind it; null while empty. Only what belongs to a number can be typed or pasted; Up and Down step it; it is clamped
 * to `min` and `max` when the field is left or Enter pressed (spec §5).
 */
export function NumberField({
  value,
  onChange,
  min,
  max,
  decimals = 2,
  step = 1,
  unit,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'min' | 'max' | 'step' | 'type' | 'end'> & {
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  decimals?: number
  step?: number
  unit?: string
}) {
  // While typing, "1." must stay "1."; out of the field the value alone says what is shown.
  const [typed, setTyped] = useState<string | null>(null)
  const limits = { decimals, ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  const write = (text: string) => {
    if (!isNumberBegun(text)) return
    const cut = cutDecimals(text, decimals)
    setTyped(cut)
    onChange(numberOf(cut))
  }
  const settle = () => {
    setTyped(null)
    const clamped = value === null ? null : clampNumber(value, min, max)
    if (clamped !== value) onChange(clamped)
  }
  return (
    <TextField
      {...rest}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      aria-roledescription="number"
      end={unit}
      value={typed ?? (value === null ? '' : String(value))}
      onChange={(event) => write(event.target.value.replaceAll(/\s/g, ''))}
      onKeyDown={(event) => {
        rest.onKeyDown?.(event)
        const { key, ctrlKey, metaKey, currentTarget: input } = event
        const selected = input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
        if (!numberKeyAllowed(key, input.value, { ctrl: ctrlKey || metaKey, decimals, selected })) return event.preventDefault()
        if (key === 'Enter') settle()
        if (key !== 'ArrowUp' && key !== 'ArrowDown') return
        event.preventDefault()
        setTyped(null)
        onChange(stepNumber(value, key === 'ArrowUp' ? step : -step, limits))
      }}
      onPaste={(event) => {
        rest.onPaste?.(event)
        const text = event.clipboardData.getData('text').trim()
        const input = event.currentTarget
        const whole = `${input.value.slice(0, input.selectionStart ?? 0)}${text}${input.value.slice(input.selectionEnd ?? 0)}`
        if (!numberPasteAllowed(text) || !isNumberBegun(whole)) event.preventDefault()
      }}
      onBlur={(event) => {
        settle()
        rest.onBlur?.(event)
      }}
    />
  )
}
