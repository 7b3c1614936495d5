import { setRegistryQuota, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useError } from '../../kit/FormField.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { ReasonModal } from '../ReasonModal.tsx'
import { useRefusal } from './use-refusal.ts'

const gigabyte = 1e9

/** How much of the container registry the account may fill, and does. */
export function RegistryQuota({ customer }: { customer: CustomerDetails }) {
  const { email, registry } = customer
  const [asking, setAsking] = useState(false)
  const share = registry.used_bytes / Math.max(1, registry.quota_bytes)
  return (
    <Panel
      title="Container registry"
      end={
        <ActionButton
          size="small"
          aria-label="Change: Container registry"
          operation={setRegistryQuota}
          disabled={useRefusal(customer)}
          onClick={() => setAsking(true)}
        >
          Change
        </ActionButton>
      }
    >
      <p className="text-fg-2 tabular-nums">
        {formatBytes(registry.used_bytes)} of {formatBytes(registry.quota_bytes)} used
        {registry.own ? ', set by staff.' : ', as every account has.'}
      </p>
      <ProgressBar
        value={share}
        label="Registry used"
        size={10}
        tone={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'ok'}
        threshold={0.8}
        className="mt-2"
      />
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        title="Storage in the container registry"
        operation={setRegistryQuota}
        params={{ email }}
        body={{ bytes: registry.own ? registry.quota_bytes : null }}
        submit="Save"
        color="success"
      >
        <QuotaField usual={registry.quota_bytes} />
      </ReasonModal>
    </Panel>
  )
}

/** The figure in the form: null is what every account may, and no number at all an empty field, which is no quota of 0. */
function QuotaField({ usual }: { usual: number }) {
  const error = useError('bytes')
  return (
    <Controller
      name="bytes"
      render={({ field: { value, onChange } }) => (
        <>
          <RadioGroup
            label="The account may keep"
            value={value === null ? 'usual' : 'own'}
            onChange={(kind) => onChange(kind === 'usual' ? null : usual)}
            choices={[
              { value: 'usual', label: 'What every account may' },
              { value: 'own', label: 'Its own figure' },
            ]}
          />
          {value !== null && (
            <NumberField
              label="Storage"
              unit="GB"
              min={0}
              max={1_000_000}
              value={Number.isNaN(value) ? null : (value as number) / gigabyte}
              onChange={(size) => onChange(size === null ? Number.NaN : Math.round(size * gigabyte))}
              error={error}
              hint="Below what is used, pushes are refused; nothing is deleted, and pulls go on."
            />
          )}
        </>
      )}
    />
  )
}
