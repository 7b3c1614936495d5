import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { activateSim, deactivateSim, getAsset, updateAsset } from '@masthead/contract/assets/operations'
import { ArrowUpRight, Copy, Pencil, Power, PowerOff, Tag } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { TagChoice } from '../tags/index.ts'
import { Button } from '../ui/Button.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { Modal } from '../ui/Modal.tsx'
import { RenameAssetModal } from './RenameAsset.tsx'
import { actItems, type AssetAct } from './sim/asset-acts.ts'
import { simRefusal } from './sim-words.ts'
import { useAssetTags } from './use-asset-tags.ts'

const AssetDialog = lazy(() => import('./sim/AssetDialog.tsx').then((module) => ({ default: module.AssetDialog })))

type Doing = { asset: Asset; what: 'rename' | 'tags' | AssetAct }

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
  const dialog = doing && (
    <>
      {doing.what === 'rename' && <RenameAssetModal asset={doing.asset} onClose={close} />}
      {doing.what === 'tags' && <TagsModal asset={doing.asset} onClose={close} />}
      {doing.what !== 'rename' && doing.what !== 'tags' && (
        <Suspense>
          <AssetDialog asset={doing.asset} act={doing.what} onClose={close} />
        </Suspense>
      )}
    </>
  )
  return { items, dialog }
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
