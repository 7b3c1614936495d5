import { setBillingProfile } from '@masthead/contract/billing/invoices/operations'
import type { BillingProfile } from '@masthead/contract/billing/invoices/profile'
import { countries } from '@masthead/contract/networks/countries'
import { FormText } from '../../kit/FormField.tsx'
import { FormLines } from '../../kit/FormLines.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { countryName } from '../../ui/country-name.ts'
import { toast } from '../../ui/toast.ts'

const options = countries.map((value) => ({ value, label: countryName(value) })).toSorted((a, b) => a.label.localeCompare(b.label, 'en'))

const empty = { company: '', address: '', postal_code: null, city: '', country: '', tax_id: null, emails: [] }

/** Whom invoices and receipts are made out to. */
export const ProfileForm = ({ profile, onClose }: { profile: BillingProfile | null; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Billing profile"
    operation={setBillingProfile}
    values={profile ?? empty}
    submit="Save"
    onDone={() => toast.success('The billing profile is saved')}
  >
    <FormText name="company" label="Company or name" autoComplete="organization" />
    <FormText name="address" label="Street or box" autoComplete="street-address" />
    <div className="grid gap-4 @sm:grid-cols-[160px_minmax(0,1fr)]">
      <FormText name="postal_code" label="Postal code" autoComplete="postal-code" emptyIsNull />
      <FormText name="city" label="City" autoComplete="address-level2" />
    </div>
    <FormSelect name="country" label="Country" options={options} search />
    <FormText name="tax_id" label="Tax or VAT id" mono emptyIsNull />
    <FormLines
      name="emails"
      label="Mail invoices and receipts to"
      placeholder="accounting@example.com"
      hint="One address a line, at most 5"
    />
    <p className="text-fg-2">Documents that were issued stay as they are.</p>
  </FormModal>
)
