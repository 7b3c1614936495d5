import { setTestAllowance, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { ReasonModal } from '../ReasonModal.tsx'
import { useRefusal } from './use-refusal.ts'

const testSteps = [1e6, 5e6, 10e6, 50e6]

/** What new SIMs may use for free before they are active. */
export function FreeTest({ customer }: { customer: CustomerDetails }) {
  const { email, test_bytes } = customer
  const [asking, setAsking] = useState(false)
  const steps = [...new Set([...testSteps, ...(test_bytes === null ? [] : [test_bytes])])].toSorted((a, b) => a - b)
  return (
    <Panel
      title="Free test of new SIMs"
      end={
        <ActionButton
          size="small"
          aria-label="Change: Free test of new SIMs"
          operation={setTestAllowance}
          disabled={useRefusal(customer)}
          onClick={() => setAsking(true)}
        >
          Change
        </ActionButton>
      }
    >
      <p className="text-fg-2">
        {test_bytes === null
          ? 'None: a new SIM is active with its first session.'
          : `A new SIM stays ready, and free, until it has used ${formatBytes(test_bytes)}.`}
      </p>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title="Free test of new SIMs"
        operation={setTestAllowance}
        params={{ email }}
        body={{ bytes: test_bytes }}
        submit="Save"
        color="success"
      >
        <Controller
          name="bytes"
          render={({ field }) => (
            <RadioGroup
              label="Each SIM that is registered from now on"
              value={String(field.value ?? 'none')}
              onChange={(chosen) => field.onChange(chosen === 'none' ? null : Number(chosen))}
              choices={[
                { value: 'none', label: 'Is active with its first session' },
                ...steps.map((step) => ({ value: String(step), label: `May use ${formatBytes(step)} before it is active` })),
              ]}
            />
          )}
        />
      </ReasonModal>
    </Panel>
  )
}
