import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim, getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { ArrowUpRight, Copy, Pencil, Power, PowerOff, RadioTower, Tag } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { TagChoice } from '../tags/index.ts'
import { Button } from '../ui/Button.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { Modal } from '../ui/Modal.tsx'
import { AssetSwitchDialog, type AssetSwitch } from './AssetSwitchDialog.tsx'
import { RenameAssetModal } from './RenameAsset.tsx'
import { isSwitchedOff } from './service-path.ts'
import { SetGroupModal } from './SetGroupModal.tsx'
import { SimActionDialog, type SimSwitch } from './SimActionDialog.tsx'
import { simRefusal, switchRefusal } from './sim-words.ts'
import { useAssetTags } from './use-asset-tags.ts'

type Doing = { asset: Asset; what: 'rename' | 'tags' | 'group' | SimSwitch | AssetSwitch }

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
      {
        label: 'Network group',
        icon: RadioTower,
        onSelect: open('group'),
        disabled: denied(updateAsset) ?? denied(listNetworkGroups) ?? (sim ? null : 'This asset has no SIM'),
      },
      { separator: true },
      { label: 'Activate SIM', icon: Power, onSelect: open('activate'), disabled: denied(activateSim) ?? simRefusal('activate', sim) },
      {
        label: 'Deactivate SIM',
        icon: PowerOff,
        danger: true,
        onSelect: open('deactivate'),
        disabled: denied(deactivateSim) ?? simRefusal('deactivate', sim),
      },
      switchItem(asset, denied(updateAsset), (what) => setDoing({ asset, what })),
    ]
  }
  const dialog = doing && (
    <>
      {doing.what === 'rename' && <RenameAssetModal asset={doing.asset} onClose={close} />}
      {doing.what === 'group' && <SetGroupModal asset={doing.asset} onClose={close} />}
      {doing.what === 'tags' && <TagsModal asset={doing.asset} onClose={close} />}
      {(doing.what === 'activate' || doing.what === 'deactivate') && (
        <SimActionDialog asset={doing.asset} action={doing.what} onClose={close} />
      )}
      {(doing.what === 'switch_on' || doing.what === 'switch_off') && (
        <AssetSwitchDialog asset={doing.asset} action={doing.what} onClose={close} />
      )}
    </>
  )
  return { items, dialog }
}

/** Switches the asset off, or on again where it is off: for the menu of its row and that of its page. */
export function switchItem({ sim }: Asset, denied: string | null, onSelect: (what: AssetSwitch) => void): MenuItem {
  return sim && isSwitchedOff(sim)
    ? { label: 'Switch on asset', icon: Power, onSelect: () => onSelect('switch_on'), disabled: denied }
    : {
        label: 'Switch off asset',
        icon: PowerOff,
        danger: true,
        onSelect: () => onSelect('switch_off'),
        disabled: denied ?? switchRefusal(sim),
      }
}

function TagsModal({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const { data } = useQuery(q(getAsset, { params: { asset_id: asset.id } }))
  const { chosen, choose } = useAssetTags(data ?? asset)
  return (
    <Modal open onClose={onClose} title={`Tags of ${asset.name}`} footer={<Button onClick={onClose}>Done</Button>}>
      <TagChoice chosen={chosen} onChange={choose} />
    </Modal>
  )
}
