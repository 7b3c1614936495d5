import type { Asset } from '@masthead/contract/assets/asset'
import { AssetSwitchDialog } from '../AssetSwitchDialog.tsx'
import { SetGroupModal } from '../SetGroupModal.tsx'
import { SimActionDialog } from '../SimActionDialog.tsx'
import type { DialogAct } from './asset-acts.ts'
import { AcceptDialog, DevicesDialog } from './DeviceDialogs.tsx'
import { LimitDialog, RaiseDialog } from './LimitDialogs.tsx'
import { AskDialog, ReleaseDialog, ResetDialog, SwapDialog } from './StockDialogs.tsx'

/** The dialog of whatever can be done with one asset and its SIM. */
export function ActDialog({ asset, act, onClose }: { asset: Asset; act: DialogAct; onClose: () => void }) {
  const { sim } = asset
  if (act === 'ask') return <AskDialog asset={asset} onClose={onClose} />
  if (act === 'release') return <ReleaseDialog asset={asset} onClose={onClose} />
  if (!sim) return null
  const props = { asset, sim, onClose }
  switch (act) {
    case 'switch_on':
    case 'switch_off':
      return <AssetSwitchDialog asset={asset} action={act} onClose={onClose} />
    case 'limit':
      return <LimitDialog {...props} />
    case 'raise':
      return <RaiseDialog {...props} />
    case 'accept':
      return <AcceptDialog {...props} />
    case 'devices':
      return <DevicesDialog {...props} />
    case 'swap':
      return <SwapDialog asset={asset} onClose={onClose} />
    case 'group':
      return <SetGroupModal asset={asset} onClose={onClose} />
    case 'reset':
      return <ResetDialog asset={asset} onClose={onClose} />
    case 'activate':
    case 'deactivate':
    case 'standby':
    case 'ready':
    case 'terminate':
      return <SimActionDialog asset={asset} action={act} onClose={onClose} />
  }
}
