import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import { Check, X } from 'lucide-react'
import { FormProvider } from 'react-hook-form'
import { FormModal } from '../kit/FormModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { IconButton } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { plain, toast } from '../ui/toast.ts'

const renamed = (name: string) => toast.success(`Renamed to ${plain(name)}`)

/** Renames from the list. */
export function RenameAssetModal({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  return (
    <FormModal
      open
      onClose={onClose}
      title="Rename asset"
      operation={updateAsset}
      values={{ name: asset.name }}
      input={(body) => ({ params: { asset_id: asset.id }, body })}
      submit="Rename"
      onDone={({ name }) => renamed(name)}
    >
      <FormText name="name" label="Name" />
    </FormModal>
  )
}

/** Renames in the place of the name. Enter saves, Escape leaves it as it was. */
export function RenameInPlace({ asset, onDone }: { asset: Asset; onDone: () => void }) {
  const { form, submit, failure, submitting } = useOperationForm(updateAsset, {
    values: { name: asset.name },
    input: (body) => ({ params: { asset_id: asset.id }, body }),
    onDone: ({ name }) => {
      onDone()
      if (name !== asset.name) renamed(name)
    },
  })
  return (
    <FormProvider {...form}>
      <form
        className="grid max-w-105 gap-2"
        noValidate
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      >
        <div className="flex items-start gap-1">
          <FormText name="name" label="Name" hideLabel autoFocus className="min-w-0 flex-1" />
          <IconButton label="Save the name" icon={Check} type="submit" loading={submitting} />
          <IconButton label="Keep the old name" icon={X} onClick={onDone} disabled={submitting} />
        </div>
        {failure && <FailureNotice of={failure} />}
      </form>
    </FormProvider>
  )
}
