import { Controller } from 'react-hook-form'
import { useError, type Named } from '../../kit/FormField.tsx'
import { BytesField } from './BytesField.tsx'

/** An amount of data of the form around it, in whole bytes; null while it is empty. */
export function FormBytes({ name, ...rest }: { label: string; hint?: string } & Named) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => <BytesField {...rest} value={field.value as number | null} onChange={field.onChange} error={error ?? null} />}
    />
  )
}
