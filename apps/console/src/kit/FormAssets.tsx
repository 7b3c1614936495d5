import { useFormContext } from 'react-hook-form'
import { TextArea } from '../ui/TextArea.tsx'

const words = (text: string) => text.split(/[\s,;]+/).filter((each) => each !== '')

/** Assets by what is printed on them, pasted or typed, as the field `assets` of the form around it. */
export function FormAssets() {
  const { setValue, formState } = useFormContext<{ assets: string[] }>()
  const wrong = formState.errors.assets
  return (
    <TextArea
      label="Assets"
      hint="Serial numbers, ICCIDs or ids, one in a line. Up to 1,000 at a time."
      rows={6}
      autoFocus
      error={wrong?.message ?? wrong?.root?.message}
      onChange={(event) => setValue('assets', words(event.target.value), { shouldValidate: formState.isSubmitted })}
    />
  )
}
