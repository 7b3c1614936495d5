import { cx } from './cx.ts'

/** A few ways to see the same thing, one at a time. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cx(
            'h-[26px] flex-none rounded-sm px-2.5 text-xs font-medium whitespace-nowrap coarse:h-9',
            option.value === value ? 'bg-raised text-fg ring-1 ring-line-2' : 'text-fg-2 hover:text-fg'
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
