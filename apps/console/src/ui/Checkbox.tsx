import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx.ts'

type Input = Omit<ComponentProps<'input'>, 'type'>

/** A tick. `mixed` is for "some of them". Without children give it an `aria-label`. */
export function Checkbox({ mixed = false, children, className, ...input }: Input & { mixed?: boolean; children?: ReactNode }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    box.current!.indeterminate = mixed
  }, [mixed])
  const control = <input {...input} ref={box} type="checkbox" className={cx('check', !children && className)} />
  if (!children) return control
  return (
    <label className={cx('flex items-center gap-2', className)}>
      {control}
      {children}
    </label>
  )
}

/** One of several: give all of them the same `name`. */
export function Radio({ children, className, ...input }: Input & { children: ReactNode }) {
  return (
    <label className={cx('flex items-center gap-2', className)}>
      <input {...input} type="radio" className="check" />
      {children}
    </label>
  )
}

/** On or off, at once. `describedBy` is the id of words beside it that say why it is disabled. */
export function Switch({
  checked,
  onChange,
  label,
  disabled,
  describedBy,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  label: string
  disabled?: boolean
  describedBy?: string
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      className="switch"
      onClick={() => onChange(!checked)}
    />
  )
}
