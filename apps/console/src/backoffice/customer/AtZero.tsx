import { setAtZero, setTax } from '@masthead/contract/backoffice/money-operations'
import type { Balance } from '@masthead/contract/billing/ledger'
import { taxWords } from '@masthead/contract/billing/invoices/tax'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { FormText } from '../../kit/FormField.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { toast } from '../../ui/toast.ts'
import { ReasonModal } from '../ReasonModal.tsx'

const options = [
  { value: 'stop', label: 'Service stops', note: 'SIMs whose next byte would be charged are blocked until there are credits' },
  { value: 'go_on', label: 'Service goes on', note: 'What is used is owed: the balance goes below zero' },
]

/** What happens when a customer has no credits left. */
export function AtZero({ email, at_zero, refused }: { email: string; at_zero: Balance['at_zero']; refused: string | null }) {
  const [asking, setAsking] = useState(false)
  const { label, note } = options.find(({ value }) => value === at_zero)!
  return (
    <Panel
      title="At zero"
      end={
        <ActionButton operation={setAtZero} size="small" disabled={refused} onClick={() => setAsking(true)}>
          Change
        </ActionButton>
      }
    >
      <p className="font-medium">{label}</p>
      <p className="text-fg-2">{note}.</p>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title="When no credits are left"
        operation={setAtZero}
        params={{ email }}
        body={{ at_zero }}
        submit="Save"
        onDone={() => toast.success('Saved')}
      >
        <FormSelect name="at_zero" label="Then" options={options} />
      </ReasonModal>
    </Panel>
  )
}

/** The tax that is added to what a customer pays. */
export function TaxOfCustomer({ email, tax, refused }: { email: string; tax: Balance['tax']; refused: string | null }) {
  const [asking, setAsking] = useState<'set' | 'none' | null>(null)
  const common = { open: true, onClose: () => setAsking(null), operation: setTax, params: { email }, onDone: () => toast.success('Saved') }
  return (
    <Panel
      title="Tax"
      end={
        <>
          {tax && (
            <ActionButton operation={setTax} size="small" color="ghost" disabled={refused} onClick={() => setAsking('none')}>
              Take away
            </ActionButton>
          )}
          <ActionButton operation={setTax} size="small" disabled={refused} onClick={() => setAsking('set')}>
            {tax ? 'Change' : 'Set'}
          </ActionButton>
        </>
      }
    >
      <p className="font-medium">{tax ? taxWords(tax) : 'None'}</p>
      <p className="text-fg-2">{tax ? 'Added to each payment.' : 'Nothing is added to payments.'}</p>
      {asking === 'set' && (
        <ReasonModal {...common} title="Tax on payments" body={{ tax: tax ?? { name: 'VAT', basis_points: null } }} submit="Save">
          <FormText name="tax.name" label="Name" hint="As it stands on receipts: VAT" />
          <Percent />
        </ReasonModal>
      )}
      {asking === 'none' && (
        <ReasonModal {...common} title="Add no tax to payments?" body={{ tax: null }} submit="Take away" color="danger">
          <p>Receipts that were issued stay as they are.</p>
        </ReasonModal>
      )}
    </Panel>
  )
}

const Percent = () => (
  <Controller
    name="tax.basis_points"
    render={({ field, fieldState }) => (
      <NumberField
        label="Rate"
        unit="%"
        min={0.01}
        max={50}
        value={field.value === null ? null : (field.value as number) / 100}
        onChange={(value) => field.onChange(value === null ? null : Math.round(value * 100))}
        error={fieldState.error?.message}
      />
    )}
  />
)
