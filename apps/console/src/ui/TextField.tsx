import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Field, useFieldIds, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'

type InputProps = Omit<ComponentProps<'input'>, 'size' | 'type'>
export type TextFieldProps = InputProps &
  FieldProps & {
    type?: 'text' | 'password' | 'email' | 'number' | 'datetime-local'
    size?: 'small' | 'medium' | 'large'
    icon?: LucideIcon
    /** What follows the value: a unit, a button. */
    end?: ReactNode
    mono?: boolean
  }

/** A line of text. Give it `register(...)` of a form, or `value` and `onChange`. */
export function TextField({
  label,
  hideLabel,
  hint,
  error,
  aside,
  size = 'medium',
  icon,
  end,
  mono,
  className,
  id: given,
  ...input
}: TextFieldProps) {
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
      <div
        className={cx('field', mono && 'mono')}
        data-size={size}
        data-invalid={error ? '' : undefined}
        data-off={input.disabled ? '' : undefined}
      >
        {icon && <Icon of={icon} className="text-fg-3" />}
        <input {...input} id={id} aria-invalid={error ? true : undefined} aria-describedby={describedBy} />
        {typeof end === 'string' ? <span className="text-xs text-fg-3">{end}</span> : end}
      </div>
    </Field>
  )
}

/** A password that can be shown. Say in `autoComplete` whether it is the current or a new one. */
export function PasswordField(props: TextFieldProps & { autoComplete: 'current-password' | 'new-password' }) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="off"
      end={
        <IconButton
          label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          icon={shown ? EyeOff : Eye}
          size="small"
          className="-mr-2"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
