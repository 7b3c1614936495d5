import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { Radio } from './Checkbox.tsx'
import { StateShape } from './StateShape.tsx'

export type Choice<Value extends string = string> = {
  value: Value
  label: string
  /** What it means, in words below. */
  about?: ReactNode
  /** Why it cannot be chosen now, in words. */
  disabled?: string
}

/** One of a few choices, all visible. Arrow keys choose; Tab leaves the group. With `cards` each has a frame. */
export function RadioGroup<Value extends string>({
  label,
  hideLabel = false,
  choices,
  value,
  onChange,
  error,
  cards = false,
  beside = false,
  disabled = false,
}: {
  label: string
  hideLabel?: boolean
  choices: readonly Choice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  error?: string | null
  cards?: boolean
  /** Short ones stand beside one another. */
  beside?: boolean
  /** None of them can be chosen now; why, something beside it says. */
  disabled?: boolean
}) {
  const name = useId()
  return (
    <fieldset
      className={cx('grid min-w-0 gap-2', beside && 'grid-cols-2 @sm:grid-cols-4')}
      aria-describedby={error ? `${name}-error` : undefined}
    >
      <legend className={hideLabel ? 'sr-only' : 'mb-2 text-sm font-medium'}>{label}</legend>
      {choices.map((choice) => (
        <Radio
          key={choice.value}
          name={name}
          value={choice.value}
          checked={choice.value === value}
          disabled={disabled || Boolean(choice.disabled)}
          onChange={() => onChange(choice.value)}
          className={cx(
            'items-start',
            cards && 'rounded-lg border p-3',
            cards && (choice.value === value ? 'border-accent-line bg-selected' : 'border-line hover:border-control'),
            choice.disabled && 'text-fg-3'
          )}
        >
          <span className="-mt-0.5 grid">
            <span className={choice.about ? 'font-medium' : undefined}>{choice.label}</span>
            {(choice.disabled ?? choice.about) && <span className="text-xs text-fg-3">{choice.disabled ?? choice.about}</span>}
          </span>
        </Radio>
      ))}
      {error && (
        <p id={`${name}-error`} className="col-span-full flex gap-1.5 text-xs text-bad-fg">
          <StateShape shape="octagon" tone="bad" className="mt-0.5" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
