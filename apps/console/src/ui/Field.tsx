import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { StateShape } from './StateShape.tsx'

export type FieldProps = {
  label: string
  /** Hidden, the label still names the field for a screen reader. */
  hideLabel?: boolean | undefined
  hint?: ReactNode
  /** What is wrong, in words. */
  error?: ReactNode
  /** Beside the label: "optional", a link. */
  aside?: ReactNode
}

type Given = FieldProps & { id?: string | undefined; className?: string | undefined; disabled?: boolean | undefined }

/**
 * What a field was given, by who takes it: the `frame`, which is a Field; the `box`, which is drawn by class `field`; the `control`, which is tied to
 * its label, hint and error; and the `rest`.
 */
export function useField<Props extends Given>(props: Props) {
  const { label, hideLabel, hint, error, aside, className, id: given, ...rest } = props
  const made = useId()
  const id = given ?? made
  return {
    frame: { id, label, hideLabel, hint, error, aside, className },
    box: { 'data-invalid': error ? '' : undefined, 'data-off': props.disabled ? '' : undefined },
    control: { id, 'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined },
    rest,
  }
}

/** A control with its label above and its hint or error below. */
export function Field({
  id,
  label,
  hideLabel,
  hint,
  error,
  aside,
  children,
  className,
}: FieldProps & { id: string; children: ReactNode; className?: string | undefined }) {
  return (
    <div className={cx('grid min-w-0 content-start gap-1.5', className)}>
      <div className={hideLabel ? 'sr-only' : 'flex items-baseline gap-2'}>
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside && <span className="ml-auto text-xs text-fg-3">{aside}</span>}
      </div>
      {children}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-xs text-bad-fg">
          <StateShape shape="octagon" tone="bad" className="mt-0.5" />
          <span>{error}</span>
        </p>
      )}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-xs text-fg-3 text-pretty">
          {hint}
        </p>
      )}
    </div>
  )
}
