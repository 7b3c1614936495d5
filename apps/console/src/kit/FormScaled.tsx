import type { ComponentProps } from 'react'
import { Controller } from 'react-hook-form'
import { NumberField } from '../ui/NumberField.tsx'
import { useError, type Named } from './FormField.tsx'

type Props = Omit<ComponentProps<typeof NumberField>, 'value' | 'onChange' | 'error' | 'name'> & Named

/** A number of the form around it that people read in another unit: `scale` of the body's are one of theirs, and the body has whole ones. */
export function FormScaled({ name, scale, ...rest }: Props & { scale: number }) {
  const error = useError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <NumberField
          min={0}
          {...rest}
          value={typeof field.value === 'number' ? field.value / scale : null}
          onChange={(value) => field.onChange(value === null ? null : Math.round(value * scale))}
          error={error}
        />
      )}
    />
  )
}
