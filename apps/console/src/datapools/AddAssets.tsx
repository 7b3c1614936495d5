import { addPoolAssets, type PoolDetails } from '@masthead/contract/datapools/operations'
import { FormAssets } from '../kit/FormAssets.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'

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
    <FormAssets />
  </FormModal>
)
