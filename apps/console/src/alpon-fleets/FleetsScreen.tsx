import type { Fleet } from '@masthead/contract/alpon-fleets/fleet'
import { createFleet, deleteFleet, listFleets, updateFleet } from '@masthead/contract/alpon-fleets/operations'
import { Boxes, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { fleetColumns, fleetHref } from './fleet-columns.tsx'
import { CreateFleetForm, DeleteFleet, RenameFleetForm } from './FleetForms.tsx'
import { useFleetClosed } from './use-fleet-closed.ts'

type Doing = { what: 'create' } | { what: 'rename' | 'delete'; fleet: Fleet }

/** The fleets of the account: devices that are to run the same. */
export default function FleetsScreen() {
  const [doing, setDoing] = useState<Doing | null>(null)
  const closed = useFleetClosed()
  const navigate = useNavigate()
  const close = () => setDoing(null)
  const create = { icon: Plus, operation: createFleet, onClick: () => setDoing({ what: 'create' }) } as const
  return (
    <>
      <BannerEnd>
        <ActionButton {...create} color="primary-solid">
          New fleet
        </ActionButton>
      </BannerEnd>
      <QueryTable
        operation={listFleets}
        label="Fleets"
        columns={fleetColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={fleetHref}
        search="Search by name"
        rowActions={(fleet) => [
          { label: 'Rename', icon: Pencil, onSelect: () => setDoing({ what: 'rename', fleet }), disabled: closed(updateFleet, fleet) },
          {
            label: 'Delete',
            icon: Trash2,
            danger: true,
            onSelect: () => setDoing({ what: 'delete', fleet }),
            disabled: closed(deleteFleet, fleet),
          },
        ]}
        live
        empty={
          <EmptyState icon={Boxes} title="No data found" actions={<ActionButton {...create}>Create your first fleet</ActionButton>}>
            A fleet is a set of devices that are to run the same. One of them is its pilot: what is new is tried there first.
          </EmptyState>
        }
      />
      {doing?.what === 'create' && <CreateFleetForm onClose={close} onDone={(fleet) => void navigate(fleetHref(fleet))} />}
      {doing?.what === 'rename' && <RenameFleetForm fleet={doing.fleet} onClose={close} />}
      {doing?.what === 'delete' && <DeleteFleet fleet={doing.fleet} onClose={close} />}
    </>
  )
}
