import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAsset } from '@masthead/contract/assets/operations'
import { q } from '../api/query.ts'
import { TagChoice } from '../tags/index.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { RenameAssetModal } from './RenameAsset.tsx'
import type { DialogAct } from './sim/asset-acts.ts'
import { ActDialog } from './sim/ActDialog.tsx'
import { useAssetTags } from './use-asset-tags.ts'

/** What is being done with an asset of a list. */
export type Doing = { asset: Asset; what: 'rename' | 'tags' | DialogAct }

/** The dialog of what was chosen in the menu of an asset. */
export function AssetDialog({ asset, what, onClose }: Doing & { onClose: () => void }) {
  if (what === 'rename') return <RenameAssetModal asset={asset} onClose={onClose} />
  if (what === 'tags') return <TagsModal asset={asset} onClose={onClose} />
  return <ActDialog asset={asset} act={what} onClose={onClose} />
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
