import { createTag, updateTag } from '@masthead/contract/tags/operations'
import { tagColors, type Tag, type TagColor } from '@masthead/contract/tags/tag'
import { Trash2 } from 'lucide-react'
import { Controller, FormProvider } from 'react-hook-form'
import { FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button } from '../ui/Button.tsx'
import { ColorChoice } from './ColorChoice.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'

type Form = ReturnType<typeof useOperationForm<typeof createTag>>

/** Makes a tag; its colour is the next that fewest others have. */
export function CreateTagForm({
  name,
  tags,
  onDone,
  onCancel,
}: {
  name: string
  tags: readonly Tag[]
  onDone: (tag: Tag) => void
  onCancel: () => void
}) {
  const used = (color: TagColor) => tags.filter((tag) => tag.color === color).length
  const [color] = tagColors.toSorted((a, b) => used(a) - used(b))
  const form = useOperationForm(createTag, { values: { name, color: color! }, onDone })
  return <TagFields {...form} submitWords="Create tag" onCancel={onCancel} />
}

/** Renames or recolours a tag. */
export function EditTagForm({ tag, onDone, onDelete }: { tag: Tag; onDone: () => void; onDelete: () => void }) {
  const form = useOperationForm(updateTag, {
    values: { name: tag.name, color: tag.color },
    input: (body) => ({ params: { tag_id: tag.id }, body }),
    onDone,
  })
  return <TagFields {...(form as unknown as Form)} submitWords="Save tag" onCancel={onDone} onDelete={onDelete} />
}

function TagFields({
  form,
  submit,
  failure,
  submitting,
  submitWords,
  onCancel,
  onDelete,
}: Form & { submitWords: string; onCancel: () => void; onDelete?: () => void }) {
  return (
    <FormProvider {...form}>
      <form className="grid gap-3 p-2" noValidate onSubmit={(event) => void submit(event)}>
        <FormText name="name" label="Name of the tag" size="small" autoFocus />
        <Controller name="color" render={({ field }) => <ColorChoice value={field.value as TagColor} onChange={field.onChange} />} />
        {failure && <FailureNotice of={failure} />}
        <div className="flex flex-wrap gap-2">
          {onDelete && (
            <Button color="danger-quiet" size="small" icon={Trash2} onClick={onDelete} disabled={submitting}>
              Delete
            </Button>
          )}
          <Button size="small" className="ml-auto" onClick={onCancel} disabled={submitting}>
            Cancel
          </Button>
          <Button size="small" type="submit" color="success" loading={submitting}>
            {submitWords}
          </Button>
        </div>
      </form>
    </FormProvider>
  )
}
