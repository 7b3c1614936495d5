import { createCoupon } from '@masthead/contract/backoffice/coupon-operations'
import { billingCurrencies, type Currency } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import { useState } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useClock } from '../../kit/clock.ts'
import { FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
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
          kind: 'amount',
          currency: 'USD',
          amount_micros: 10_000_000,
          percent: null,
          credit_days: 365,
          expires_at: null,
          most_uses: null,
        } as never
      }
      input={(body) => ({ body: { ...body, expires_at: until === '' ? null : `${until}T23:59:59.999Z` } })}
      submit="Create coupon"
      onDone={(coupon) => toast.success(`Coupon ${coupon.code} is created`)}
    >
      <Kind />
      <FormText name="code" label="Code" hint="Customers type it. Capital and small letters count as the same." />
      <div className="grid gap-4 @sm:grid-cols-2">
        <Amounts />
        <FormNumber name="most_uses" label="Most uses" hint="Accounts; empty: no limit" decimals={0} min={1} max={1_000_000} />
        <FormNumber name="credit_days" label="Credits end after" unit="days" hint="Empty: never" decimals={0} min={1} max={3650} />
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

/** An amount has no per cent: one that was typed before goes, because it would be wrong in a field that is not shown. */
function Kind() {
  const { setValue } = useFormContext()
  return (
    <Controller
      name="kind"
      render={({ field }) => (
        <Segmented
          label="Kind"
          options={kinds}
          value={field.value as (typeof kinds)[number]['value']}
          onChange={(kind) => {
            field.onChange(kind)
            if (kind === 'amount') setValue('percent', null, { shouldDirty: true })
          }}
        />
      )}
    />
  )
}

function Amounts() {
  const [kind, currency] = useWatch({ name: ['kind', 'currency'] }) as [string, Currency]
  return (
    <>
      {kind === 'percent' && <FormNumber name="percent" label="Bonus" unit="%" decimals={0} min={1} max={100} />}
      <FormMoney
        name="amount_micros"
        label={kind === 'percent' ? 'At most' : 'Credits'}
        currency={currency}
        min={10_000}
        max={10_000_000_000}
      />
      <FormSelect
        name="currency"
        label="Currency"
        hint="Only accounts of this currency redeem it."
        options={billingCurrencies.map((value) => ({ value, label: value }))}
      />
    </>
  )
}
