import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import { useState } from 'react'
import { Link } from 'react-router'
import { useOperation } from '../api/query.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { plain, toast } from '../ui/toast.ts'
import { GroupSelect } from '../network-groups/index.ts'
import { SimEffect } from './later-sim-effect.ts'

/** Puts the SIM of one asset into another group. */
export function SetGroupModal({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const before = asset.sim!.network_group
  const [chosen, setChosen] = useState<string | null>(before.id)
  const mutation = useOperation(updateAsset)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Network group of ${asset.name}`}
      confirm="Set group"
      loading={mutation.isPending}
      failure={mutation.error}
      blocked={chosen === before.id ? 'It is in this group already' : null}
      onConfirm={() =>
        mutation.mutate(
          { params: { asset_id: asset.id }, body: { supersim: { network_group: chosen! } } },
          {
            onSuccess: ({ sim }) => {
              toast.success(`${plain(asset.name)} is in ${plain(sim!.network_group.name)}`)
              onClose()
            },
          }
        )
      }
    >
      <GroupSelect value={chosen} onChange={setChosen} />
      <p>The limit, the networks and the IMEI lock of the group apply at once. A session on a network that it does not allow is cut.</p>
      {!before.id.startsWith('default_') && (
        <p>
          What {before.name} allows is changed{' '}
          <Link className="link" to={`/network-groups/${before.id}`}>
            in the group
          </Link>
          , for all its SIMs.
        </p>
      )}
      {chosen !== null && chosen !== before.id && (
        <SimEffect asset_id={asset.id} of={{ action: 'set_network_group', network_group: chosen }} />
      )}
    </Confirm>
  )
}
