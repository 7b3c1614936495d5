import { Slider as Base } from '@base-ui/react/slider'
import { useId, type ReactNode } from 'react'

/** spec §9: from where to where a slider goes unless said otherwise. */
export const sliderRange = { min: 0, max: 100 } as const

type SliderProps<Value extends number | readonly [number, number]> = {
  label: string
  /** One value, or the two ends of a range. */
  value: Value
  onChange: (value: Value) => void
  /** When the hand leaves it: for what must not be asked at each step. */
  onCommit?: (value: Value) => void
  /** 0 to 100 unless given. */
  min?: number
  max?: number
  step?: number
  disabled?: boolean
  hint?: ReactNode
  format?: (value: number) => string
}

/** A value, or a range of two, on a line. Arrow keys step, Shift and Page Up/Down step by ten, Home and End go to the ends. */
export function Slider<Value extends number | readonly [number, number]>({
  label,
  value,
  onChange,
  onCommit,
  min = sliderRange.min,
  max = sliderRange.max,
  step = 1,
  disabled = false,
  hint,
  format = String,
}: SliderProps<Value>) {
  const id = useId()
  const values: readonly number[] = typeof value === 'number' ? [value] : value
  const names = values.length === 1 ? [label] : [`${label}, from`, `${label}, to`]
  return (
    <Base.Root
      value={values}
      onValueChange={(next) => onChange((typeof value === 'number' ? next[0] : next) as Value)}
      onValueCommitted={(next) => onCommit?.((typeof value === 'number' ? next[0] : next) as Value)}
      min={min}
      max={max}
      step={step}
      largeStep={step * 10}
      disabled={disabled}
      className="grid gap-1.5"
    >
      <div className="flex items-baseline gap-2">
        <span className="text-sm font-medium">{label}</span>
        <output className="ml-auto text-xs text-fg-2 tabular-nums">{values.map(format).join(' to ')}</output>
      </div>
      <Base.Control className="flex h-6 touch-none items-center select-none data-disabled:cursor-not-allowed">
        <Base.Track className="h-1.5 w-full rounded-[3px] bg-sunken ring-1 ring-line ring-inset">
          <Base.Indicator className="rounded-[3px] bg-accent-line data-disabled:bg-line-2" />
          {values.map((_, at) => (
            <Base.Thumb
              key={at}
              index={at}
              aria-describedby={hint ? `${id}-hint` : undefined}
              getAriaLabel={() => names[at]!}
              getAriaValueText={(_formatted, now) => format(now)}
              className="slider-thumb"
            />
          ))}
        </Base.Track>
      </Base.Control>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-fg-3">
          {hint}
        </p>
      )}
    </Base.Root>
  )
}
