import { addPoolAssets, type PoolDetails } from '@masthead/contract/datapools/operations'
import { useFormContext } from 'react-hook-form'
import { FormModal } from '../kit/FormModal.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { toast } from '../ui/toast.ts'

const words = (text: string) => text.split(/[\s,;]+/).filter((each) => each !== '')

/** Assets by what is printed on them, pasted or typed. */
export const AddAssets = ({ pool, onClose }: { pool: PoolDetails; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Add assets to ${pool.name}`}
    operation={addPoolAssets}
    values={{ assets: [] }}
    input={(body) => ({ params: { pool_id: pool.id }, body })}
    submit="Add assets"
    onDone={({ added, already }) =>
      toast.success(
        `${added === 1 ? '1 asset was' : `${added} assets were`} added${already > 0 ? `; ${already} drew from it already` : ''}`
      )
    }
  >
    <AssetKeys />
  </FormModal>
)

function AssetKeys() {
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
