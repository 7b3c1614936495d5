import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'

/** Several lines of text; Enter begins the next. Give it `register(...)` of a form, or `value` and `onChange`. */
export function TextArea({ mono, rows = 4, ...props }: ComponentProps<'textarea'> & FieldProps & { mono?: boolean }) {
  const { frame, box, control, rest } = useField(props)
  return (
    <Field {...frame}>
      <div {...box} className={cx('field', mono && 'mono')}>
        <textarea {...rest} {...control} rows={rows} aria-invalid={frame.error ? true : undefined} />
      </div>
    </Field>
  )
}
