import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { setBalanceWarnings, setRefill } from '@masthead/contract/billing/refill/operations'
import type { BalanceRules, RefillMode } from '@masthead/contract/billing/refill/refill'
import { leastTopUp, mostTopUp } from '@masthead/contract/billing/top-up'
import { useWatch } from 'react-hook-form'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { toast } from '../../ui/toast.ts'
import { FormMoney } from '../FormMoney.tsx'

type FormProps = { rules: BalanceRules; onClose: () => void }
const most = mostTopUp * 10

/** Below which balances people are notified. */
export const WarningsForm = ({ rules: { currency, warnings }, onClose }: FormProps) => (
  <FormModal
    open
    onClose={onClose}
    title="Low-balance alerts"
    operation={setBalanceWarnings}
    values={warnings}
    submit="Save"
    onDone={() => toast.success('The alerts are saved')}
  >
    <FormMoney name="warn_micros" label="Warn below" currency={currency} min={10_000} max={most} hint="Empty: no warning" />
    <FormMoney
      name="urgent_micros"
      label="Warn urgently below"
      currency={currency}
      min={10_000}
      max={most}
      hint="Also in quiet hours. Empty: never"
    />
  </FormModal>
)

const start = {
  mode: 'target' as const,
  below_micros: micros(50_000_000),
  amount_micros: micros(200_000_000),
  month_limit_micros: micros(1_000_000_000),
}

/** How the account is filled by itself. It is on once this is sent. */
export function RefillForm({ rules: { currency, refill }, onClose }: FormProps) {
  const { mode, below_micros, amount_micros, month_limit_micros } = refill ?? start
  return (
    <FormModal
      open
      onClose={onClose}
      title="Auto-refill"
      operation={setRefill}
      values={{ is_on: true, mode, below_micros, amount_micros, month_limit_micros }}
      submit={refill?.is_on ? 'Save' : 'Switch on'}
      color="success"
      onDone={() => toast.success('Auto-refill is on')}
    >
      <Fields currency={currency} />
    </FormModal>
  )
}

const modes = [
  { value: 'target', label: 'Fill it up to an amount', note: 'Buys what is missing then' },
  { value: 'fixed', label: 'Buy the same amount each time' },
]

function Fields({ currency }: { currency: Currency }) {
  const mode = useWatch({ name: 'mode' }) as RefillMode
  const least = formatMoney(micros(leastTopUp), currency)
  return (
    <>
      <FormMoney name="below_micros" label="When less than this can be spent" currency={currency} min={1_000_000} max={most} />
      <FormSelect name="mode" label="Then" options={modes} />
      <FormMoney
        name="amount_micros"
        label={mode === 'fixed' ? 'Amount' : 'Fill up to'}
        currency={currency}
        min={leastTopUp}
        max={mode === 'fixed' ? mostTopUp : most}
        {...(mode === 'target' && { hint: `At least ${least} are bought at a time` })}
      />
      <FormMoney
        name="month_limit_micros"
        label="At most in a month"
        currency={currency}
        min={leastTopUp}
        max={most}
        hint="Before tax, in calendar months in UTC; what you buy by hand is not counted"
      />
      <p className="text-fg-2">
        The default card is charged without asking. If its bank wants you to confirm, nothing is charged and you are notified.
      </p>
    </>
  )
}
