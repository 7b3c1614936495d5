import type { Fleet } from '@masthead/contract/alpon-fleets/fleet'
import { startRollout } from '@masthead/contract/alpon-fleets/rollout-operations'
import { useFormContext, useWatch } from 'react-hook-form'
import { FormNumber } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { useListError } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/toast.ts'

/** Rolls a version out: which, in which phases, and when it stops by itself. */
export const StartRolloutForm = ({
  fleet,
  versions,
  onClose,
}: {
  fleet: Fleet
  versions: readonly { version: number; note: string | null }[]
  onClose: () => void
}) => (
  <FormModal
    open
    onClose={onClose}
    title={`Roll out to ${fleet.name}`}
    operation={startRollout}
    values={{
      version: String(versions[0]!.version) as never,
      plan: { phases: [10, 50, 100], most_failed_percent: 5, retries: 1, minutes_a_device: 30, window: null },
    }}
    input={({ version, plan }) => ({ params: { fleet_id: fleet.id }, body: { version: Number(version), plan } })}
    submit="Start rollout"
    onDone={({ version }) => toast.success(`Version ${version} is on its way`)}
  >
    <FormSelect
      name="version"
      label="Version"
      options={versions.map(({ version, note }) => ({ value: String(version), label: `Version ${version}`, ...(note && { note }) }))}
    />
    <Phases devices={fleet.assets} />
    <FormNumber name="plan.most_failed_percent" label="Halt when more devices of a phase failed than" unit="%" />
    <div className="grid gap-4 @sm:grid-cols-2">
      <FormNumber name="plan.retries" label="Try a failed device again" unit="times" />
      <FormNumber name="plan.minutes_a_device" label="A try takes at most" unit="minutes" />
    </div>
    <p className="text-xs text-fg-3">
      A device that is offline is no failure: it gets the version when it is back. The pilot is in the first phase.
    </p>
  </FormModal>
)

/** Shares of the fleet, typed as "10, 50, 100". */
function Phases({ devices }: { devices: number }) {
  const { setValue, formState } = useFormContext()
  const phases = useWatch({ name: 'plan.phases' }) as number[]
  const error = useListError('plan.phases')
  const counts = phases.filter(Number.isFinite).map((share) => Math.ceil((devices * share) / 100))
  return (
    <TextField
      label="Phases"
      hint={`How much of the fleet each phase reaches, in per cent: ${counts.map((count) => count.toLocaleString('en')).join(', then ')} of ${devices.toLocaleString('en')} devices`}
      defaultValue={phases.join(', ')}
      inputMode="numeric"
      autoComplete="off"
      error={error}
      onChange={({ target }) =>
        setValue(
          'plan.phases',
          target.value
            .split(/[\s,;]+/)
            .filter((word) => word !== '')
            .map(Number),
          { shouldValidate: formState.isSubmitted }
        )
      }
    />
  )
}
