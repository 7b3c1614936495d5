import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { ArrowUpRight, Copy, Pencil, Power, PowerOff, Tag } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useDenied } from '../kit/ActionButton.tsx'
import { later } from '../kit/later.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import type { Doing } from './AssetDialog.tsx'
import { actItems } from './sim/asset-acts.ts'
import { simRefusal } from './sim-words.ts'

const AssetDialog = later(() => import('./AssetDialog.tsx').then((file) => file.AssetDialog))

/** What can be done with an asset of a list: the items of its menu, and the dialog of the one that was chosen. */
export function useAssetActions(): { items: (asset: Asset) => MenuItem[]; dialog: ReactNode } {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const navigate = useNavigate()
  const close = () => setDoing(null)
  const items = (asset: Asset): MenuItem[] => {
    const { sim } = asset
    const open = (what: Doing['what']) => () => setDoing({ asset, what })
    return [
      { label: 'Open', icon: ArrowUpRight, onSelect: () => void navigate(`/assets/${asset.id}`) },
      { label: 'Copy ICCID', icon: Copy, onSelect: () => void copyText(sim?.iccid ?? ''), disabled: sim ? null : 'This asset has no SIM' },
      { separator: true },
      { label: 'Rename', icon: Pencil, onSelect: open('rename'), disabled: denied(updateAsset) },
      { label: 'Tags', icon: Tag, onSelect: open('tags'), disabled: denied(updateAsset) },
      { separator: true },
      { label: 'Activate SIM', icon: Power, onSelect: open('activate'), disabled: denied(activateSim) ?? simRefusal('activate', sim) },
      {
        label: 'Deactivate SIM',
        icon: PowerOff,
        danger: true,
        onSelect: open('deactivate'),
        disabled: denied(deactivateSim) ?? simRefusal('deactivate', sim),
      },
      ...actItems(asset, denied, (what) => setDoing({ asset, what })),
    ]
  }
  const dialog = doing && <AssetDialog {...doing} onClose={close} />
  return { items, dialog }
}
