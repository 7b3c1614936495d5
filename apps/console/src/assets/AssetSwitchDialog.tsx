import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import { simStates } from '@masthead/contract/assets/sim'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { plain } from '../ui/toast.ts'

export type AssetSwitch = 'switch_on' | 'switch_off'

/** Asks before an asset is switched on or off, which takes the service of all its SIMs and leaves what they are set to. */
export function AssetSwitchDialog({ asset, action, onClose }: { asset: Asset; action: AssetSwitch; onClose: () => void }) {
  const on = action === 'switch_on'
  const state = asset.sim && simStates[asset.sim.state].toLowerCase()
  return (
    <ConfirmCall
      onClose={onClose}
      operation={updateAsset}
      input={{ params: { asset_id: asset.id }, body: { status: on ? 'active' : 'inactive' } }}
      title={on ? 'Switch on this asset?' : 'Switch off this asset?'}
      confirm={on ? 'Switch on' : 'Switch off'}
      color={on ? 'success' : 'danger'}
      done={`Switched ${on ? 'on' : 'off'} ${plain(asset.name)}`}
    >
      <p>
        <b className="font-medium text-fg wrap-anywhere">{asset.name}</b>
      </p>
      {on ? (
        <p>Its SIM is set to {state}: this applies again. It has service unless something else blocks it.</p>
      ) : (
        <p>
          Its SIM has no service while it is off
          {asset.sim?.session && (
            <>
              , and its live session is <b className="font-medium text-fg">cut at once</b>
            </>
          )}
          . It stays set to {state}, which applies again when the asset is switched on.
        </p>
      )}
    </ConfirmCall>
  )
}
