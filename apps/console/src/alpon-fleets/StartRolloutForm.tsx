import type { Fleet, FleetDevice } from '@masthead/contract/alpon-fleets/fleet'
import { devicesIn } from '@masthead/contract/alpon-fleets/plan-rollout'
import type { FleetVersion, Phase } from '@masthead/contract/alpon-fleets/rollout'
import { getRolloutPreview, startRollout } from '@masthead/contract/alpon-fleets/rollout-operations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useHref } from 'react-router'
import { q } from '../api/query.ts'
import { FormNumber } from '../kit/FormField.tsx'
import { useListError } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Select } from '../ui/Select.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/toast.ts'
import { foreignWords, goneWords } from './download-words.ts'
import { fleetHref } from './fleet-columns.tsx'
import { RolloutDownload } from './RolloutDownload.tsx'
import { devicesWords, phaseName, reachWords, readPhases } from './rollout-words.ts'
import { WindowFields } from './WindowFields.tsx'

type Version = Pick<FleetVersion, 'version' | 'note'>

/** Rolls a version out: which, in which phases, and when it stops by itself. */
export const StartRolloutForm = ({
  fleet,
  version: chosen,
  versions,
  onClose,
}: {
  fleet: Fleet
  version: number
  /** The newest. Another one was chosen where all are listed. */
  versions: readonly Version[]
  onClose: () => void
}) => (
  <FormModal
    open
    onClose={onClose}
    title={`Roll out to ${fleet.name}`}
    operation={startRollout}
    values={{
      version: chosen,
      plan: {
        phases: [10, 50, 100],
        most_failed_percent: 5,
        retries: 1,
        minutes_a_device: 30,
        window: null,
        pilot_minutes: fleet.pilot ? 10 : 0,
      },
    }}
    input={(body) => ({ params: { fleet_id: fleet.id }, body })}
    submit="Start rollout"
    onDone={({ version }) => toast.success(`Version ${version} is on its way`)}
  >
    <VersionField
      versions={versions.some(({ version }) => version === chosen) ? versions : [...versions, { version: chosen, note: null }]}
    />
    <Reach fleet={fleet} newest={versions[0]?.version ?? chosen} />
    {fleet.pilot && (
      <FormNumber
        name="plan.pilot_minutes"
        label="The pilot runs it without trouble before others begin, for"
        unit="minutes"
        hint="A restart in between begins the time anew; 0: nobody waits for the pilot"
      />
    )}
    <Phases devices={fleet.assets} />
    <FormNumber name="plan.most_failed_percent" label="Halt when more devices of a phase failed than" unit="%" />
    <div className="grid gap-4 @sm:grid-cols-2">
      <FormNumber name="plan.retries" label="Try a failed device again" unit="times" />
      <FormNumber name="plan.minutes_a_device" label="A try takes at most" unit="minutes" />
    </div>
    <WindowFields />
    <p className="text-xs text-fg-3">
      A device that is offline is no failure: it gets the version when it is back. The pilot is in the first phase. Assets that join the
      fleet later get the version too.
    </p>
  </FormModal>
)

const VersionField = ({ versions }: { versions: readonly Version[] }) => (
  <Controller
    name="version"
    render={({ field }) => (
      <Select
        label="Version"
        options={versions.map(({ version, note }) => ({ value: String(version), label: `Version ${version}`, ...(note && { note }) }))}
        value={String(field.value)}
        onChange={(version) => field.onChange(Number(version))}
      />
    )}
  />
)

/** What the chosen version would reach, and take in data. */
function Reach({ fleet, newest }: { fleet: Fleet; newest: number }) {
  const version = useWatch({ name: 'version' }) as number
  const { data, error, isPlaceholderData } = useQuery({
    ...q(getRolloutPreview, { params: { fleet_id: fleet.id }, query: { version } }),
    placeholderData: keepPreviousData,
  })
  if (error)
    return (
      <p className="text-xs text-bad-fg">
        What it would reach could not be loaded. <FailureWords of={error} />
      </p>
    )
  const gone = data && goneWords(data)
  const foreign = data && foreignWords(data, version, newest)
  return (
    <div className="grid gap-2" aria-live="polite" aria-busy={!data || isPlaceholderData}>
      {data ? (
        <>
          <p className="text-fg-2">
            {reachWords(data)}
            {data.offline > 0 && <WhichOnes fleet={fleet} device="offline" words="Which are offline" />}
            {data.without_agent > 0 && <WhichOnes fleet={fleet} device="without_agent" words="Which have no agent" />}
          </p>
          {gone && <Notice tone="warn">{gone}</Notice>}
          {foreign && <p className="text-xs text-fg-3 wrap-anywhere">{foreign}</p>}
          {data.devices > 0 && <RolloutDownload download={data.download} />}
        </>
      ) : (
        <SkeletonLines lines={2} />
      )}
    </div>
  )
}

/** Opened beside, so that what was chosen here stays. */
function WhichOnes({ fleet, device, words }: { fleet: Fleet; device: FleetDevice; words: string }) {
  const href = useHref(`${fleetHref(fleet)}/assets?device=${device}`)
  return (
    <>
      {' '}
      <a className="link" href={href} target="_blank" rel="noreferrer">
        {words}
        <span className="sr-only"> (opens beside)</span>
      </a>
    </>
  )
}

/** Shares of the fleet or numbers of devices, typed as "5 devices, 10 %, 100 %". */
function Phases({ devices }: { devices: number }) {
  const { setValue, formState } = useFormContext()
  const phases = useWatch({ name: 'plan.phases' }) as Phase[]
  const error = useListError('plan.phases')
  const counts = phases.map((phase) => devicesIn(phase, devices)).filter(Number.isFinite)
  return (
    <TextField
      label="Phases"
      hint={`How much of the fleet each phase reaches, as 10 % or 5 devices: ${counts.map((count) => count.toLocaleString('en')).join(', then ')} of ${devicesWords(devices)}`}
      defaultValue={phases.map(phaseName).join(', ')}
      autoComplete="off"
      error={error}
      onChange={({ target }) => setValue('plan.phases', readPhases(target.value), { shouldValidate: formState.isSubmitted })}
    />
  )
}
