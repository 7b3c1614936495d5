import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, useFieldIds, type FieldProps } from './Field.tsx'

/** Several lines of text; Enter begins the next. Give it `register(...)` of a form, or `value` and `onChange`. */
export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  aside,
  mono,
  rows = 4,
  className,
  id: given,
  ...input
}: ComponentProps<'textarea'> & FieldProps & { mono?: boolean }) {
  const { id, describedBy } = useFieldIds({ hint, error }, given)
  return (
    <Field
      id={id}
      label={label}
      {...(hideLabel && { hideLabel })}
      hint={hint}
      error={error}
      aside={aside}
      {...(className && { className })}
    >
      <div className={cx('field', mono && 'mono')} data-invalid={error ? '' : undefined} data-off={input.disabled ? '' : undefined}>
        <textarea {...input} id={id} rows={rows} aria-invalid={error ? true : undefined} aria-describedby={describedBy} />
      </div>
    </Field>
  )
}
