import {
  restoreClosedWords,
  type AddedAssets,
  type Fleet,
  type FleetAsset,
  type FleetDevice,
  type RemovedAssets,
} from '@masthead/contract/alpon-fleets/fleet'
import { addFleetAssets, listFleetAssets, removeFleetAssets, updateFleet } from '@masthead/contract/alpon-fleets/operations'
import { restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
import { CircleMinus, FlagTriangleRight, Plus, Router, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { plain, toast } from '../ui/toast.ts'
import { assetColumns } from './fleet-columns.tsx'
import { AddAssetsForm, RefusedAssets, TakeAssetsOutForm } from './FleetForms.tsx'
import { RestoreAsset } from './RestoreAsset.tsx'
import { useFleetClosed } from './use-fleet-closed.ts'

const filters = [
  {
    key: 'device',
    label: 'Device',
    options: [
      { value: 'online', label: 'Online' },
      { value: 'offline', label: 'Offline' },
      { value: 'without_agent', label: 'Without an agent' },
    ] satisfies { value: FleetDevice; label: string }[],
  },
]

type Doing =
  | { what: 'add' | 'take_out' }
  | { what: 'restore'; asset: FleetAsset }
  | { what: 'refused'; of: AddedAssets | RemovedAssets }
  | { what: 'remove'; assets: readonly FleetAsset[]; done: () => void }

/** The assets of a fleet, with its pilot among them. */
export function FleetAssets({ fleet }: { fleet: Fleet }) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const pilotItem = usePilotItem(fleet)
  const add = { icon: Plus, operation: addFleetAssets, onClick: () => setDoing({ what: 'add' }) } as const
  const refused = (of: AddedAssets | RemovedAssets) => setDoing({ what: 'refused', of })
  const removing = (assets: readonly FleetAsset[], done = () => {}) => setDoing({ what: 'remove', assets, done })
  return (
    <>
      <QueryTable
        operation={listFleetAssets}
        input={{ params: { fleet_id: fleet.id } }}
        label="Assets of the fleet"
        columns={assetColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/assets/${id}`}
        search="Search by name or serial number"
        filters={filters}
        rowActions={(asset) => [
          pilotItem(asset),
          {
            label: fleet.version === null ? 'Restore the version' : `Restore version ${fleet.version}`,
            icon: Undo2,
            onSelect: () => setDoing({ what: 'restore', asset }),
            disabled: denied(restoreFleetAsset) ?? restoreClosedWords(fleet.version, asset.is_pilot, asset.rollout?.state ?? null),
          },
          { label: 'Take out', icon: CircleMinus, danger: true, onSelect: () => removing([asset]), disabled: denied(removeFleetAssets) },
        ]}
        bulkActions={[
          {
            label: 'Take out',
            icon: CircleMinus,
            onSelect: (rows, done) => removing(rows, done),
            disabled: () => denied(removeFleetAssets),
          },
        ]}
        actions={
          <>
            <ActionButton
              icon={CircleMinus}
              operation={removeFleetAssets}
              disabled={fleet.assets === 0 ? 'The fleet has no assets' : null}
              onClick={() => setDoing({ what: 'take_out' })}
            >
              Take assets out
            </ActionButton>
            <ActionButton {...add}>Add assets</ActionButton>
          </>
        }
        live
        empty={
          <EmptyState icon={Router} title="No data found" actions={<ActionButton {...add}>Add the first assets</ActionButton>}>
            Add devices by their serial numbers, ICCIDs or ids.
          </EmptyState>
        }
      />
      {doing?.what === 'add' && <AddAssetsForm fleet={fleet} onClose={close} onRefused={refused} />}
      {doing?.what === 'take_out' && <TakeAssetsOutForm fleet={fleet} onClose={close} onRefused={refused} />}
      {doing?.what === 'restore' && <RestoreAsset fleet={fleet} asset={doing.asset} onClose={close} />}
      {doing?.what === 'refused' && <RefusedAssets of={doing.of} onClose={close} />}
      {doing?.what === 'remove' && (
        <ConfirmCall
          operation={removeFleetAssets}
          input={{ params: { fleet_id: fleet.id }, body: { assets: doing.assets.map(({ id }) => id) } }}
          title={
            doing.assets.length === 1
              ? `Take ${doing.assets[0]!.name} out of ${fleet.name}?`
              : `Take ${doing.assets.length} assets out of ${fleet.name}?`
          }
          confirm="Take out"
          color="danger"
          done="Taken out of the fleet"
          onDone={doing.done}
          onClose={close}
        >
          What runs on {doing.assets.length === 1 ? 'it' : 'them'} goes on.
          {doing.assets.some(({ is_pilot }) => is_pilot) && ' The fleet has no pilot after it.'}
        </ConfirmCall>
      )}
    </>
  )
}

function usePilotItem(fleet: Fleet) {
  const closed = useFleetClosed()
  const choosing = useOperation(updateFleet)
  return ({ id, name, is_pilot }: FleetAsset): MenuItem => ({
    label: is_pilot ? 'Not the pilot any more' : 'Make it the pilot',
    icon: FlagTriangleRight,
    disabled: closed(updateFleet, fleet),
    onSelect: () =>
      choosing.mutate(
        { params: { fleet_id: fleet.id }, body: { pilot_asset_id: is_pilot ? null : id } },
        {
          onSuccess: () => toast.success(is_pilot ? 'The fleet has no pilot now' : `${plain(name)} is the pilot now`),
          onError: (failure) => toast.failure(failure),
        }
      ),
  })
}
