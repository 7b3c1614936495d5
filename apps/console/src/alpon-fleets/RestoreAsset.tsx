import { restoreFleetAsset } from '@masthead/contract/alpon-fleets/rollout-operations'
import type { Fleet } from '@masthead/contract/alpon-fleets/fleet'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { plain } from '../ui/toast.ts'

/** Asks whether one asset is to get the version of its fleet again. */
export const RestoreAsset = ({
  fleet,
  asset: { id, name },
  onClose,
}: {
  fleet: Fleet
  asset: { id: string; name: string }
  onClose: () => void
}) => (
  <ConfirmCall
    operation={restoreFleetAsset}
    input={{ params: { fleet_id: fleet.id, asset_id: id } }}
    title={`Restore version ${fleet.version} on ${name}?`}
    confirm={`Restore version ${fleet.version}`}
    done={`Version ${fleet.version} goes to ${plain(name)}`}
    onClose={onClose}
  >
    What was changed on it by hand is undone, and containers that do not run as they are to are started anew. It begins by the rules of the
    rollout: in its maintenance window, once it is resumed where it is paused or halted, and once the device is online. Where it fails, the
    rollout does not halt.
  </ConfirmCall>
)
