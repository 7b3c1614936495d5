import { TextField, type TextFieldProps } from './TextField.tsx'

/** The time a person reads, without a zone: `2026-11-21T14:31:48`. */
const isDateTime = (text: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)

/**
 * A day and a time to the second (spec §5), in the browser's own control: arrow keys step each part, the calendar opens with Space. Empty
 * while it is not whole. `min` and `max` are as the value; what is outside says so and stays, for the reader to mend.
 */
export function DateTimeField({
  value,
  onChange,
  min,
  max,
  error,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'step' | 'min' | 'max' | 'end'> & {
  value: string
  onChange: (value: string) => void
  min?: string
  max?: string
}) {
  return (
    <TextField
      {...rest}
      type="datetime-local"
      step={1}
      value={value}
      {...(min && { min })}
      {...(max && { max })}
      error={error ?? outsideWords(value, min, max)}
      onChange={({ target }) => onChange(target.value.length === 16 ? `${target.value}:00` : target.value)}
    />
  )
}

/** Why a time cannot be taken, in words; null when it can. */
function outsideWords(value: string, min?: string, max?: string): string | null {
  if (!isDateTime(value)) return null
  const words = (at: string) => at.replace('T', ', ')
  if (min && value < min) return `Not before ${words(min)}`
  if (max && value > max) return `Not after ${words(max)}`
  return null
}
