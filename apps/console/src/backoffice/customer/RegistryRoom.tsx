import { setRegistryQuota, type CustomerDetails } from '@masthead/contract/backoffice/account-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { useState } from 'react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { ReasonModal } from '../ReasonModal.tsx'

const gigabyte = 1e9

/** How much of the container registry the account may fill, and does. */
export function RegistryRoom({ customer: { email, registry } }: { customer: CustomerDetails }) {
  const [asking, setAsking] = useState(false)
  const [kind, setKind] = useState<'usual' | 'own'>(registry.own ? 'own' : 'usual')
  const [size, setSize] = useState<number | null>(registry.quota_bytes / gigabyte)
  const bytes = kind === 'usual' ? null : Math.round((size ?? 0) * gigabyte)
  const share = registry.used_bytes / Math.max(1, registry.quota_bytes)
  return (
    <Panel
      title="Container registry"
      end={
        <ActionButton size="small" aria-label="Change: Container registry" operation={setRegistryQuota} onClick={() => setAsking(true)}>
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
        title="Room in the container registry"
        operation={setRegistryQuota}
        params={{ email }}
        body={{ bytes }}
        submit="Save"
        color="success"
      >
        <RadioGroup
          label="The account may keep"
          value={kind}
          onChange={setKind}
          choices={[
            { value: 'usual', label: 'What every account may' },
            { value: 'own', label: 'Its own figure' },
          ]}
        />
        {kind === 'own' && (
          <NumberField
            label="Room"
            unit="GB"
            min={0}
            max={1_000_000}
            value={size}
            onChange={setSize}
            hint="Below what is used, pushes are refused; nothing is deleted, and pulls go on."
          />
        )}
      </ReasonModal>
    </Panel>
  )
}
