import { addTariffVersion, assignTariff, createTariff, type TariffWithVersions } from '@masthead/contract/backoffice/tariff-operations'
import { billingCurrencies } from '@masthead/contract/billing/money'
import type { Tariff, TariffTerms } from '@masthead/contract/billing/tariff'
import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray } from 'react-hook-form'
import { FormCheckbox, FormText } from '../../kit/FormField.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { later } from '../../kit/later.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { FormPrice } from './FormPrice.tsx'
import { TermsFields } from './TermsFields.tsx'

const TypedEffect = later(async () => (await import('./TariffEffect.tsx')).TypedEffect)

const blank = {
  block_bytes: 1000,
  rounding_scope: 'session',
  kb: 1000,
  zones: [{ id: '', name: '', networks: ['*'], price_micros: null }],
  fees: {
    activation_micros: 0,
    reactivation_micros: 0,
    active_monthly: [{ from: 1, price_micros: 0 }],
    inactive_monthly_micros: 0,
    standby_monthly_micros: 0,
  },
}
const dayMs = 86_400_000
/** Tomorrow, or the day after that from which the newest version is valid: before it nothing can be planned. */
const nextDay = ({ effective_from }: Pick<TariffTerms, 'effective_from'>) =>
  dayOf(Math.max(Date.now(), Date.parse(`${effective_from}T00:00:00Z`)) + dayMs)

export const CreateTariff = ({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Create price list"
    operation={createTariff}
    values={{ name: '', currency: 'USD', is_standard: false, version: { ...blank, effective_from: dayOf(Date.now()) } } as never}
    submit="Create price list"
    size="large"
    onDone={({ id, name }) => {
      toast.success(`${name} is created`)
      onDone(id)
    }}
  >
    <div className="grid gap-4 @sm:grid-cols-2">
      <FormText name="name" label="Name" placeholder="Standard" />
      <FormSelect name="currency" label="Currency" hint="It stays." options={billingCurrencies.map((value) => ({ value, label: value }))} />
    </div>
    <FormCheckbox name="is_standard">Show it to everybody as the general price list</FormCheckbox>
    <TermsFields of="version." first />
  </FormModal>
)

/** A new version begins as the newest one is. */
export function AddVersion({ tariff, onClose }: { tariff: TariffWithVersions; onClose: () => void }) {
  const { number: _, created_at: __, created_by: ___, ...terms } = tariff.versions[0]!
  const values: TariffTerms = { ...terms, effective_from: nextDay(terms) }
  return (
    <FormModal
      open
      onClose={onClose}
      title={`New version of ${tariff.name}`}
      operation={addTariffVersion}
      values={values as never}
      input={(body) => ({ params: { tariff_id: tariff.id }, body: body as never })}
      submit="Plan version"
      size="large"
      onDone={({ versions }) => toast.success(`Version ${versions[0]!.number} is valid from ${formatDay(versions[0]!.effective_from)} on`)}
    >
      <TermsFields first={false} />
      <TypedEffect tariff={tariff} />
    </FormModal>
  )
}

/** Has a customer pay by a price list, at prices of their own where some are agreed. */
export function AssignTariff({
  tariffs,
  tariff_id,
  onClose,
}: {
  tariffs: readonly Tariff[]
  tariff_id: string | null
  onClose: () => void
}) {
  const [email, setEmail] = useState('')
  const none = { value: null as unknown as string, label: 'None: nothing is charged' }
  return (
    <FormModal
      open
      onClose={onClose}
      title="Give an account a price list"
      operation={assignTariff}
      values={{ tariff_id, from_day: dayOf(Date.now()), own_prices: [], reason: '' } as never}
      input={(body) => ({ params: { email: email.trim() }, body: body as never })}
      submit="Give price list"
      onDone={() => toast.success('The account pays by it from that day on')}
      explain={({ status, detail }) => (status === 404 ? 'No account has this e-mail' : detail)}
    >
      <TextField
        label="E-mail of the account’s owner"
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <FormSelect
        name="tariff_id"
        label="Price list"
        placeholder="None: nothing is charged"
        options={[none, ...tariffs.map(({ id, name, currency }) => ({ value: id, label: `${name} (${currency})` }))]}
      />
      <FormText
        name="from_day"
        label="From"
        hint="A day, from 00:00 UTC on. Where a price list is valid already: tomorrow at the earliest. Active SIMs pay their fee of that whole month; activations before that day, and SIMs inactive or on standby in that month, cost nothing. Without credits its SIMs have no service from then on, unless service goes on at zero."
      />
      <OwnPrices />
      <FormText name="reason" label="Reason" hint="The customer reads it." />
    </FormModal>
  )
}

function OwnPrices() {
  const { fields, append, remove } = useFieldArray({ name: 'own_prices' })
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-1 font-medium">Prices agreed with this account</legend>
      {fields.map((field, i) => (
        <div key={field.id} role="group" aria-label={`Price ${i + 1}`} className="grid grid-cols-[1fr_1fr_auto] items-start gap-3">
          <FormText name={`own_prices.${i}.zone_id`} label="Zone" />
          <FormPrice name={`own_prices.${i}.price_micros`} label="Price per MB" />
          <span className="pt-6">
            <IconButton label={`Remove price ${i + 1}`} icon={Trash2} onClick={() => remove(i)} />
          </span>
        </div>
      ))}
      <Button className="justify-self-start" icon={Plus} onClick={() => append({ zone_id: '', price_micros: null })}>
        Add price
      </Button>
    </fieldset>
  )
}
