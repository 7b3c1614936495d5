import type { Asset } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { activateSim, deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { Ellipsis, Pencil, Power, PowerOff, Tag as TagIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { later } from '../kit/later.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { TagChoice } from '../tags/index.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Popover } from '../ui/Popover.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { Tag } from '../ui/Tag.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { switchItem } from './asset-actions.tsx'
import type { AssetSwitch } from './AssetSwitchDialog.tsx'
import { simRefusal } from './sim-words.ts'
import type { SimSwitch } from './SimActionDialog.tsx'
import { useAssetTags } from './use-asset-tags.ts'

const RenameInPlace = later(() => import('./RenameAsset.tsx').then((file) => file.RenameInPlace))
const AssetDialog = later(() => import('./AssetDialog.tsx').then((file) => file.AssetDialog))

/** What the asset is called, what it is and how it is, and what can be done with it. */
export function AssetHead({ asset }: { asset: Asset }) {
  const { name, type, sim, serial, online } = asset
  const [renaming, setRenaming] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const denied = useDenied()(updateAsset)
  const renamed = () => {
    setRenaming(false)
    // Back to where it was begun, once that stands there again.
    requestAnimationFrame(() => pencil.current?.focus())
  }
  return (
    <Banner
      title={name}
      crumbs={<Breadcrumbs way={[{ label: 'Assets', to: '/assets' }]} here={sim?.iccid ?? serial} />}
      {...(renaming && { edit: <RenameInPlace asset={asset} onDone={renamed} /> })}
      aside={<IconButton ref={pencil} label="Rename" icon={Pencil} size="small" disabled={denied} onClick={() => setRenaming(true)} />}
      meta={
        <>
          <TypeBadge type={type} label={assetTypes[type]} />
          {sim && <StatusDot status={sim.status} {...(sim.status === 'blocked' && { label: `Blocked, set to ${sim.state}` })} />}
          <AssetTags asset={asset} denied={denied} />
          {/* Last: its words change each second, and would move what stands behind them. */}
          <span className="inline-flex items-center gap-1.5">
            <StatusDot
              status={online ? 'online' : sim?.session?.silent ? 'silent' : asset.last_seen_at ? 'offline' : 'never_seen'}
              className="font-normal!"
            />
            {asset.last_seen_at && (
              <span className="text-fg-3">
                {online ? 'last report' : 'last seen'} <RelativeTime at={asset.last_seen_at} />
              </span>
            )}
          </span>
        </>
      }
      end={<SimSwitches asset={asset} denied={denied} />}
    />
  )
}

function AssetTags({ asset, denied }: { asset: Asset; denied: string | null }) {
  const { chosen, choose } = useAssetTags(asset)
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {asset.tags.map((tag) => (
        <Tag key={tag.id} {...tag} />
      ))}
      {denied ? (
        asset.tags.length === 0 && <span className="text-fg-3">No tags</span>
      ) : (
        <Popover
          label="Tags"
          className="w-72 p-1"
          trigger={
            <Button color="ghost" size="small" icon={TagIcon} className="-ml-2">
              {asset.tags.length === 0 ? 'Add tags' : 'Edit tags'}
            </Button>
          }
        >
          <TagChoice chosen={chosen} onChange={choose} />
        </Popover>
      )}
    </span>
  )
}

/** On or off: the one that can be done now, or both with the reason when neither can. */
function SimSwitches({ asset, denied }: { asset: Asset; denied: string | null }) {
  const [asking, setAsking] = useState<SimSwitch | AssetSwitch | null>(null)
  const refused = { activate: simRefusal('activate', asset.sim), deactivate: simRefusal('deactivate', asset.sim) }
  if (!asset.sim) return null
  const neither = refused.activate !== null && refused.deactivate !== null
  return (
    <>
      {(refused.activate === null || neither) && (
        <ActionButton icon={Power} operation={activateSim} disabled={refused.activate} onClick={() => setAsking('activate')}>
          Activate
        </ActionButton>
      )}
      {(refused.deactivate === null || neither) && (
        <ActionButton
          icon={PowerOff}
          color="danger-quiet"
          operation={deactivateSim}
          disabled={refused.deactivate}
          onClick={() => setAsking('deactivate')}
        >
          Deactivate
        </ActionButton>
      )}
      <Menu
        label="More actions"
        align="end"
        trigger={<IconButton label="More actions" icon={Ellipsis} />}
        items={[switchItem(asset, denied, setAsking)]}
      />
      {asking && <AssetDialog asset={asset} what={asking} onClose={() => setAsking(null)} />}
    </>
  )
}
