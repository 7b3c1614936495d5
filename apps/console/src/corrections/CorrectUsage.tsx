import type { StaffAsset } from '@masthead/contract/backoffice/home-operations'
import { correctUsage } from '@masthead/contract/backoffice/correction-operations'
import { correctableDays } from '@masthead/contract/usage/correction'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { ActionButton } from '../kit/ActionButton.tsx'
import { later } from '../kit/later.tsx'

const CorrectUsageForm = later(() => import('./CorrectUsageForm.tsx').then((file) => file.CorrectUsageForm))

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
