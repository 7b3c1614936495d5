import type { RolloutAsset } from '@masthead/contract/alpon-fleets/rollout'
import { listRolloutTries } from '@masthead/contract/alpon-fleets/rollout-operations'
import { QueryTable } from '../kit/QueryTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { tryColumns } from './rollout-columns.tsx'

/** Each try of a rollout on one device, and why it failed. */
export function RolloutTries({
  rollout,
  device,
  onClose,
}: {
  rollout: { fleet_id: string; rollout_id: string }
  device: RolloutAsset
  onClose: () => void
}) {
  return (
    <Sheet open onClose={onClose} title={`Tries on ${device.asset_name}`}>
      <QueryTable
        operation={listRolloutTries}
        input={{ params: { ...rollout, asset_id: device.asset_id } }}
        label="Tries"
        columns={tryColumns}
        rowId={({ started_at }) => started_at}
        prefix="t-"
        live
        empty={<EmptyState title="No data found">No try on it is over yet.</EmptyState>}
      />
    </Sheet>
  )
}
