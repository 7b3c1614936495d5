import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { StateShape } from './StateShape.tsx'

export type FieldProps = {
  label: string
  /** Hidden, the label still names the field for a screen reader. */
  hideLabel?: boolean
  hint?: ReactNode
  /** What is wrong, in words. */
  error?: ReactNode
  /** Beside the label: "optional", a link. */
  aside?: ReactNode
}

/** Ids that tie a control to its label, hint and error. */
export function useFieldIds({ hint, error }: Pick<FieldProps, 'hint' | 'error'>, given?: string) {
  const made = useId()
  const id = given ?? made
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return { id, describedBy }
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
}: FieldProps & { id: string; children: ReactNode; className?: string }) {
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
