import { giveCredit } from '@masthead/contract/backoffice/money-operations'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import { Controller } from 'react-hook-form'
import { FormMoney } from '../../billing/index.ts'
import { useClock } from '../../kit/clock.ts'
import { DateField } from '../../ui/DateField.tsx'
import { toast } from '../../ui/toast.ts'
import { ReasonModal } from '../ReasonModal.tsx'

const endOf = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()

/** Gives a customer credits. */
export function GiveCredit({ email, currency, onClose }: { email: string; currency: Currency; onClose: () => void }) {
  const today = useClock(dayOf)
  return (
    <ReasonModal
      open
      onClose={onClose}
      title="Give credit"
      operation={giveCredit}
      params={{ email }}
      body={{ amount_micros: null, expires_at: null }}
      submit="Give credit"
      color="success"
      onDone={({ amount_micros }) => toast.success(`Gave ${formatMoney(micros(amount_micros), currency)}`)}
    >
      <p>It is added to the balance at once, and spent before what the customer bought.</p>
      <FormMoney name="amount_micros" label="Amount" currency={currency} min={10_000} max={1_000_000_000_000} />
      <Controller
        name="expires_at"
        render={({ field }) => (
          <DateField
            label="Last day it can be spent"
            hint="Empty: it does not expire. Days are in UTC."
            clearable
            min={today}
            today={today}
            placeholder="Does not expire"
            value={field.value ? dayOf(Date.parse(field.value as string) - 1) : ''}
            onChange={(day) => field.onChange(day ? endOf(day) : null)}
          />
        )}
      />
    </ReasonModal>
  )
}
