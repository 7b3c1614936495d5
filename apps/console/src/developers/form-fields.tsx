import { Controller } from 'react-hook-form'
import { useListError } from '../kit/FormLines.tsx'
import { useTags } from '../tags/index.ts'
import { TagPicker } from '../ui/TagPicker.tsx'

type Named = { name: string; label: string; hint?: string }

/** Tags of the account, by their ids. */
export function TagsField({ name, label, hint }: Named) {
  const tags = useTags() ?? []
  const error = useListError(name)
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <TagPicker
          label={label}
          hint={hint ?? 'Leave it empty for all assets that you see.'}
          error={error}
          tags={tags}
          chosen={field.value as string[]}
          onChange={field.onChange}
          placeholder="Any asset"
        />
      )}
    />
  )
}
