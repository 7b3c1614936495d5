import { useQuery } from '@tanstack/react-query'
import { restoreClosedWords, type Fleet } from '@masthead/contract/alpon-fleets/fleet'
import type { Rollout, RolloutAsset } from '@masthead/contract/alpon-fleets/rollout'
import { isOpenRollout, retryClosedWords } from '@masthead/contract/alpon-fleets/rollout'
import {
  abortRollout,
  listRolloutAssets,
  listRollouts,
  listVersions,
  pauseRollout,
  publishVersion,
  restoreFleetAsset,
  resumeRollout,
  retryRollout,
  startRollout,
} from '@masthead/contract/alpon-fleets/rollout-operations'
import { History, Rocket, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { q, useOperation } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { ConfirmButton } from '../kit/ConfirmCall.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { FailureNotice, type Said } from '../ui/FailureNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { toast } from '../ui/toast.ts'
import { abortedDeviceColumns, deviceColumns, rolloutColumns, versionColumns } from './rollout-columns.tsx'
import { phaseName, phaseStates, phaseWords, rolloutLooks, totalOf, waitingWords } from './rollout-words.ts'
import { RestoreAsset } from './RestoreAsset.tsx'
import { RolloutTries } from './RolloutTries.tsx'
import { StartRolloutForm } from './StartRolloutForm.tsx'
import { windowWords } from './window-words.ts'
import { useFleetClosed } from './use-fleet-closed.ts'

const filters = [
  {
    key: 'state',
    label: 'State',
    options: [
      { value: 'pending', label: 'Waiting' },
      { value: 'started', label: 'Started' },
      { value: 'success', label: 'Done' },
      { value: 'failure', label: 'Failed' },
    ],
  },
]

/** Versions of a fleet, the rollout that runs or ran last, and how far each device is. */
export function FleetRollout({ fleet }: { fleet: Fleet }) {
  const versions = useQuery(q(listVersions, { params: { fleet_id: fleet.id }, query: { page_size: 20 } }))
  const rollouts = useQuery(q(listRollouts, { params: { fleet_id: fleet.id }, query: { page_size: 1 } }))
  const [publishing, setPublishing] = useState(false)
  const [starting, setStarting] = useState<number | null>(null)
  const closed = useFleetClosed()
  const failure = versions.error ?? rollouts.error
  if (failure && !(versions.data && rollouts.data)) return <FailureNotice of={failure} />
  if (!versions.data || !rollouts.data)
    return (
      <Panel>
        <SkeletonLines lines={5} />
      </Panel>
    )
  const [newest] = versions.data.items
  const [last] = rollouts.data.items
  const running = last && isOpenRollout(last.state)
  const noStart = closed(startRollout, fleet) ?? (running ? `The rollout of version ${last.version} is not over` : null)
  const input = { params: { fleet_id: fleet.id } }
  return (
    <>
      <Panel
        title="Versions"
        end={
          <>
            <ActionButton
              operation={publishVersion}
              size="small"
              disabled={closed(publishVersion, fleet) ?? (fleet.pilot ? null : 'Choose the pilot first')}
              onClick={() => setPublishing(true)}
            >
              Publish version
            </ActionButton>
            <ActionButton
              operation={startRollout}
              size="small"
              color="primary-solid"
              disabled={noStart ?? (newest ? null : 'Publish a version first')}
              onClick={() => setStarting(newest!.version)}
            >
              Roll out
            </ActionButton>
          </>
        }
        flush={versions.data.items.length > 0}
      >
        {versions.data.items.length === 0 ? (
          <p className="text-fg-2">
            A version is what the pilot runs: deploy containers there, and publish it once they run. Then roll it out to the others.
          </p>
        ) : (
          <QueryTable
            operation={listVersions}
            input={input}
            label="Versions"
            columns={versionColumns}
            rowId={({ version }) => String(version)}
            rowName={({ version }) => `version ${version}`}
            rowActions={({ version }) => [{ label: 'Roll out', icon: Rocket, disabled: noStart, onSelect: () => setStarting(version) }]}
            prefix="v-"
            plain
          />
        )}
      </Panel>
      {last && <OneRollout fleet={fleet} rollout={last} />}
      {rollouts.data.total > 1 && (
        <Panel title="All rollouts" flush>
          <QueryTable
            operation={listRollouts}
            input={input}
            label="All rollouts"
            columns={rolloutColumns}
            rowId={({ id }) => id}
            prefix="r-"
            plain
          />
        </Panel>
      )}
      {publishing && (
        <FormModal
          open
          onClose={() => setPublishing(false)}
          title={`Publish version ${(newest?.version ?? 0) + 1}`}
          operation={publishVersion}
          values={{ note: null }}
          input={(body) => ({ ...input, body })}
          submit="Publish version"
          onDone={({ version }) => toast.success(`Version ${version} is published`)}
        >
          <p className="text-fg-2">
            What is wanted of {fleet.pilot?.asset_name ?? 'the pilot'} becomes the version: its containers, with the images that it runs
            now, and its network priority and APN where they are set. Nothing changes on other devices until you roll it out.
          </p>
          <FormText name="note" label="Note" hint="What is new, for your colleagues" emptyIsNull autoFocus />
        </FormModal>
      )}
      {starting !== null && (
        <StartRolloutForm fleet={fleet} version={starting} versions={versions.data.items} onClose={() => setStarting(null)} />
      )}
    </>
  )
}

function OneRollout({ fleet, rollout }: { fleet: Fleet; rollout: Rollout }) {
  const closed = useFleetClosed()
  const pausing = useOperation(pauseRollout)
  const resuming = useOperation(resumeRollout)
  const retrying = useOperation(retryRollout)
  const input = { params: { fleet_id: fleet.id, rollout_id: rollout.id } }
  const denied = useDenied()
  const [restoring, setRestoring] = useState<RolloutAsset | null>(null)
  const [lookedAt, setLookedAt] = useState<RolloutAsset | null>(null)
  const said = { onError: (failure: Said) => toast.failure(failure) }
  const { failure, devices } = totalOf(rollout)
  const states = phaseStates(rollout)
  const open = isOpenRollout(rollout.state)
  // By the devices that one sees: another of the phase may be online.
  const waiting = fleet.limited ? null : waitingWords(rollout)
  return (
    <Panel
      title={`Rollout of version ${rollout.version}`}
      note={<StatusDot {...rolloutLooks[rollout.state]} />}
      end={
        <>
          {failure > 0 && retryClosedWords(rollout.state) === null && (
            <ActionButton
              operation={retryRollout}
              size="small"
              disabled={closed(retryRollout, fleet)}
              onClick={() => retrying.mutate(input, said)}
            >
              Try failed ones again
            </ActionButton>
          )}
          {open &&
            (rollout.state === 'running' ? (
              <ActionButton
                operation={pauseRollout}
                size="small"
                disabled={closed(pauseRollout, fleet)}
                onClick={() => pausing.mutate(input, said)}
              >
                Pause
              </ActionButton>
            ) : (
              <ActionButton
                operation={resumeRollout}
                size="small"
                disabled={closed(resumeRollout, fleet)}
                onClick={() => resuming.mutate(input, said)}
              >
                Resume
              </ActionButton>
            ))}
          {open && (
            <ConfirmButton
              operation={abortRollout}
              input={input}
              size="small"
              color="danger-quiet"
              confirmColor="danger"
              disabled={closed(abortRollout, fleet)}
              label="Abort"
              confirm="Abort rollout"
              title={`Abort the rollout of version ${rollout.version}?`}
              done="The rollout is aborted"
            >
              Devices keep what they have now. To go back, roll an older version out.
            </ConfirmButton>
          )}
        </>
      }
    >
      {rollout.state === 'halted' && (
        <p className="mb-4">
          It halted, because more than {rollout.plan.most_failed_percent} % of a phase failed or went offline in their try, or the pilot
          failed or is gone. Look at the failed devices below: have them tried again, resume without them, or abort. Where the pilot is gone
          from the fleet, abort it and roll out again with another pilot.
        </p>
      )}
      {waiting && <p className="mb-4">{waiting}</p>}
      {rollout.plan.pilot_minutes !== undefined && rollout.plan.pilot_minutes > 0 && open && (
        <p className="mb-4 text-fg-2">
          Other devices begin once the pilot has run it for {rollout.plan.pilot_minutes.toLocaleString('en')} minutes without trouble or
          restart. That is the pilot of the fleet when the rollout began: another one that is chosen meanwhile is for the next rollout.
        </p>
      )}
      {rollout.plan.window && open && (
        <p className="mb-4 text-fg-2">Devices are started in its maintenance window only: {windowWords(rollout.plan.window)}.</p>
      )}
      <Stepper
        label="Phases"
        steps={rollout.phases.map((phase, place) => ({
          id: String(place),
          title: phaseName(rollout.plan.phases[place]!),
          about: phaseWords(phase),
          state: states[place]!,
        }))}
      />
      <div className="mt-4">
        {devices === 0 ? (
          <p className="text-fg-2">It has no devices that you see.</p>
        ) : (
          <QueryTable
            operation={listRolloutAssets}
            input={{ params: { fleet_id: fleet.id, rollout_id: rollout.id } }}
            label="Devices of the rollout"
            columns={rollout.state === 'aborted' ? abortedDeviceColumns : deviceColumns}
            rowId={({ asset_id }) => asset_id}
            rowName={({ asset_name }) => asset_name}
            filters={filters}
            rowActions={(device) => [
              { label: 'Tries', icon: History, onSelect: () => setLookedAt(device) },
              {
                label: `Restore version ${rollout.version}`,
                icon: Undo2,
                onSelect: () => setRestoring(device),
                disabled:
                  denied(restoreFleetAsset) ?? restoreClosedWords(fleet.version, device.asset_id === fleet.pilot?.asset_id, device.state),
              },
            ]}
            prefix="d-"
            live
          />
        )}
      </div>
      {lookedAt && <RolloutTries rollout={input.params} device={lookedAt} onClose={() => setLookedAt(null)} />}
      {restoring && (
        <RestoreAsset fleet={fleet} asset={{ id: restoring.asset_id, name: restoring.asset_name }} onClose={() => setRestoring(null)} />
      )}
    </Panel>
  )
}
