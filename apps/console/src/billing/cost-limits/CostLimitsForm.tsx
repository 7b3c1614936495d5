import { setCostLimits } from '@masthead/contract/billing/cost-limits/operations'
import type { BalanceRules } from '@masthead/contract/billing/refill/refill'
import { mostTopUp } from '@masthead/contract/billing/top-up'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormScaled } from '../../kit/FormScaled.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { toast } from '../../ui/toast.ts'
import { FormMoney } from '../FormMoney.tsx'

const actions = [
  { value: 'warn', label: 'Warn of it', note: 'Once for a SIM and zone in a month' },
  { value: 'refuse', label: 'Refuse it', note: 'SIMs have no service on networks where data costs more' },
]
const most = mostTopUp * 10

/** What data may cost; an empty field is no limit. */
export const CostLimitsForm = ({ rules: { cost_limits, currency, megabyte }, onClose }: { rules: BalanceRules; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Cost limits"
    operation={setCostLimits}
    values={cost_limits}
    submit="Save"
    onDone={() => toast.success('The cost limits are saved')}
  >
    <FormScaled
      name="most_price_micros"
      label="Most for a megabyte"
      scale={1e6}
      decimals={6}
      unit={currency}
      min={1e-6}
      max={most / 1e6}
      hint={`Per ${megabyte}, by your price list. Empty: any price`}
    />
    <FormSelect name="price_action" label="Data that costs more" options={actions} />
    <FormMoney
      name="sim_day_micros"
      label="Most for the data of a SIM on a day"
      currency={currency}
      min={10_000}
      max={most}
      hint="The SIM is blocked then, until 00:00 UTC. Empty: no limit"
    />
  </FormModal>
)
