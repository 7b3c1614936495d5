import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'
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
export function TextField({ size = 'medium', icon, end, mono, ...props }: TextFieldProps) {
  const { frame, box, control, rest } = useField(props)
  return (
    <Field {...frame}>
      <div {...box} className={cx('field', mono && 'mono')} data-size={size}>
        {icon && <Icon of={icon} className="text-fg-3" />}
        <input {...rest} {...control} aria-invalid={frame.error ? true : undefined} />
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
