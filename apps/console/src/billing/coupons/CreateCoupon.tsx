import { createCoupon } from '@masthead/contract/backoffice/coupon-operations'
import type { Currency } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import { useState } from 'react'
import { useClock } from '../../kit/clock.ts'
import { FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { toast } from '../../ui/toast.ts'
import { FormMoney } from '../FormMoney.tsx'

const kinds = [
  { value: 'amount', label: 'Amount' },
  { value: 'percent', label: 'Per cent bonus' },
] as const

/** Without letters and digits that are taken for each other. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const newCode = () => Array.from(crypto.getRandomValues(new Uint8Array(10)), (random) => letters[random % letters.length]).join('')

export function CreateCoupon({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<'amount' | 'percent'>('amount')
  const [until, setUntil] = useState('')
  const [code] = useState(newCode)
  const today = useClock(dayOf)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Create coupon"
      operation={createCoupon}
      values={
        {
          code,
          kind,
          currency: 'USD',
          amount_micros: 10_000_000,
          percent: null,
          credit_days: 365,
          expires_at: null,
          most_uses: null,
        } as never
      }
      input={(body) => ({
        body: {
          ...body,
          kind,
          percent: kind === 'percent' ? body.percent : null,
          expires_at: until === '' ? null : `${until}T23:59:59.999Z`,
        },
      })}
      submit="Create coupon"
      onDone={(coupon) => toast.success(`Coupon ${coupon.code} is created`)}
    >
      <Segmented label="Kind" options={kinds} value={kind} onChange={setKind} />
      <FormText name="code" label="Code" hint="Customers type it; small letters do as well." />
      <div className="grid gap-4 @sm:grid-cols-2">
        {kind === 'percent' && <FormNumber name="percent" label="Bonus" unit="%" min={1} max={100} />}
        <FormMoney
          name="amount_micros"
          label={kind === 'percent' ? 'At most' : 'Credits'}
          currency={'USD' as Currency}
          min={10_000}
          max={10_000_000_000}
        />
        <FormText name="currency" label="Currency" hint="Only accounts of this currency redeem it." />
        <FormNumber name="most_uses" label="Most uses" hint="Accounts; empty: no limit" min={1} max={1_000_000} />
        <FormNumber name="credit_days" label="Credits end after" unit="days" hint="Empty: never" min={1} max={3650} />
        <DateField
          label="Redeemed until"
          hint="To the end of that day, UTC; none: no end"
          value={until}
          min={today}
          today={today}
          clearable
          onChange={setUntil}
        />
      </div>
    </FormModal>
  )
}
