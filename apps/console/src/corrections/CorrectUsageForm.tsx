import type { StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { correctUsage } from '@masthead/contract/backoffice/correction-operations'
import { changeWords } from '@masthead/contract/usage/correction'
import { useState } from 'react'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'
import { CorrectionFields } from './CorrectionFields.tsx'

type FormProps = { asset: StaffAsset['asset']; days: { first: string; last: string }; onClose: () => void }

/** Asks of which day, how much and why, and shows what comes of it. */
export function CorrectUsageForm({ asset, days, onClose }: FormProps) {
  const [refused, setRefused] = useState(false)
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Correct the usage of ${asset.name}`}
      operation={correctUsage}
      values={{ day: days.last, bytes_up: 0, bytes_down: 0, reason: '' }}
      input={(body) => ({ params: { any_asset_id: asset.id }, body })}
      submit="Apply correction"
      refused={refused ? 'It is refused as it stands, for the reason above' : null}
      onDone={(correction) => void toast.success(`Corrected by ${changeWords(correction)}`)}
    >
      <CorrectionFields assetId={asset.id} days={days} onRefused={setRefused} />
      <FormText name="reason" label="Reason" hint="The customer sees it in their activities and on the asset." />
    </FormModal>
  )
}
