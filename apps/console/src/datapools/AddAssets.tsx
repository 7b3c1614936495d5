import { formatMoney } from '@masthead/contract/billing/money'
import { addPoolAssets, type PoolDetails } from '@masthead/contract/datapools/operations'
import { FormAssets } from '../kit/FormAssets.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { joiningWords, shareWords } from './pool-words.ts'
import { TooLow } from './TooLow.tsx'

/** Assets by what is printed on them, pasted or typed. */
export function AddAssets({ pool, onClose }: { pool: PoolDetails; onClose: () => void }) {
  const share = shareWords(pool)
  const joining = joiningWords(pool)
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Add assets to ${pool.name}`}
      operation={addPoolAssets}
      values={{ assets: [] }}
      input={(body) => ({ params: { pool_id: pool.id }, body })}
      submit="Add assets"
      onDone={({ added, already, paid_micros }) =>
        toast.success(
          `${added === 1 ? '1 asset was' : `${added} assets were`} added${already > 0 ? `; ${already} drew from it already` : ''}${paid_micros ? `. ${formatMoney(paid_micros, pool.currency)} was paid` : ''}`
        )
      }
      explain={({ code, detail }) => (code === 'balance_too_low' ? <TooLow detail={detail} /> : detail)}
    >
      {share && <p className="text-fg-2">{share}</p>}
      {joining && <Notice tone="warn">{joining}</Notice>}
      <FormAssets />
    </FormModal>
  )
}
