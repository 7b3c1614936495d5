import { setAtZero } from '@masthead/contract/backoffice/money-operations'
import type { Balance } from '@masthead/contract/billing/ledger'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { FormSelect } from '../../kit/FormField.tsx'
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
