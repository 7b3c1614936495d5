import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import type { Option } from '../ui/OptionList.tsx'
import { MultiSelect, Select } from '../ui/Select.tsx'
import { useError, type Named } from './FormField.tsx'

/** One of several options, of the form around it. */
export function FormSelect({
  name,
  ...rest
}: Named & { label: string; options: readonly Option[]; hint?: ReactNode; placeholder?: string; search?: boolean; disabled?: boolean }) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => <Select {...rest} value={field.value as string | null} onChange={field.onChange} error={error} />}
    />
  )
}

/** Any of several options, of the form around it. */
export function FormMultiSelect({
  name,
  ...rest
}: Named & { label: string; options: readonly Option[]; hint?: string; placeholder?: string; search?: boolean }) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => <MultiSelect {...rest} value={(field.value ?? []) as string[]} onChange={field.onChange} error={error} />}
    />
  )
}

/** One of several numbers, of the form around it. */
export function FormNumberSelect({ name, ...rest }: Named & { label: string; options: readonly Option[]; hint?: string }) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <Select {...rest} value={String(field.value)} onChange={(value) => field.onChange(Number(value))} error={error} />
      )}
    />
  )
}
