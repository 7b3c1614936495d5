import type { StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { correctUsage } from '@masthead/contract/backoffice/correction-operations'
import { changeWords, correctableDays } from '@masthead/contract/usage/correction'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../kit/ActionButton.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'
import { CorrectionFields } from './CorrectionFields.tsx'

/** The button and the form by which staff correct what the SIM of an asset used on a day. `refused`: why they may not. */
export function CorrectUsage({ data: { asset, stock }, refused }: { data: StaffAsset; refused: string | null }) {
  const [open, setOpen] = useState(false)
  const since = new Date(stock?.registered_at ?? asset.created_at)
  return (
    <>
      <ActionButton
        operation={correctUsage}
        icon={Scale}
        disabled={asset.sim ? refused : 'This asset has no SIM'}
        onClick={() => setOpen(true)}
      >
        Correct usage
      </ActionButton>
      {open && <CorrectUsageForm asset={asset} days={correctableDays(since, new Date())} onClose={() => setOpen(false)} />}
    </>
  )
}

type FormProps = { asset: StaffAsset['asset']; days: { first: string; last: string }; onClose: () => void }

const CorrectUsageForm = ({ asset, days, onClose }: FormProps) => (
  <FormModal
    open
    onClose={onClose}
    title={`Correct the usage of ${asset.name}`}
    operation={correctUsage}
    values={{ day: days.last, bytes_up: 0, bytes_down: 0, reason: '' }}
    input={(body) => ({ params: { any_asset_id: asset.id }, body })}
    submit="Apply correction"
    onDone={(correction) => void toast.success(`Corrected by ${changeWords(correction)}`)}
  >
    <CorrectionFields assetId={asset.id} days={days} />
    <FormText name="reason" label="Reason" hint="The customer sees it in their activities and on the asset." />
  </FormModal>
)
