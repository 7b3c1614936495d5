import type { ReactNode } from 'react'
import { Controller, get, useFormContext } from 'react-hook-form'
import { Checkbox } from '../ui/Checkbox.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { PasswordField, TextField, type TextFieldProps } from '../ui/TextField.tsx'

/** The field of the operation's body. */
export type Named = { name: string }
type Text = Omit<TextFieldProps, 'name'> & Named & { emptyIsNone?: boolean; emptyIsNull?: boolean }

/** What the form says is wrong with a field of it. */
export const useError = (name: string): string | undefined =>
  (get(useFormContext().formState.errors, name) as { message?: string } | undefined)?.message

/** A line of text of the form around it. `name` is the field of the operation's body. `error` is said when the form itself has nothing to say of it; `emptyIsNone` leaves an empty field out of the body, `emptyIsNull` sends null. */
export function FormText({ error, emptyIsNone = false, emptyIsNull = false, ...props }: Text) {
  const empty = emptyIsNull ? null : undefined
  return (
    <TextField
      autoComplete="off"
      {...props}
      {...useFormContext().register(props.name, emptyIsNone || emptyIsNull ? { setValueAs: (text: string) => text || empty } : {})}
      error={useError(props.name) ?? error}
    />
  )
}

/** A password of the form around it. */
export function FormPassword(props: Text & { autoComplete: 'current-password' | 'new-password' }) {
  return <PasswordField {...props} {...useFormContext().register(props.name)} error={useError(props.name)} />
}

/** A number of the form around it; null while empty. */
export function FormNumber({ name, ...rest }: Omit<Parameters<typeof NumberField>[0], 'value' | 'onChange' | 'error' | 'name'> & Named) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => <NumberField {...rest} value={field.value as number | null} onChange={field.onChange} error={error} />}
    />
  )
}

/** A tick of the form around it. */
export const FormCheckbox = ({ name, children }: Named & { children: ReactNode }) => (
  <Controller
    name={name}
    render={({ field }) => (
      <Checkbox checked={field.value as boolean} onChange={({ target }) => field.onChange(target.checked)}>
        {children}
      </Checkbox>
    )}
  />
)
