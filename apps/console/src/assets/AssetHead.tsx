import type { Asset } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { activateSim, deactivateSim, updateAsset } from '@masthead/contract/assets/operations'
import { resetSim } from '@masthead/contract/assets/sim-operations'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { Ellipsis, Pencil, Power, PowerOff, RefreshCw, Tag as TagIcon } from 'lucide-react'
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
import { statuses } from '../ui/status.ts'
import { StatusDot } from '../ui/StatusDot.tsx'
import { Tag } from '../ui/Tag.tsx'
import { TypeBadge } from '../ui/TypeBadge.tsx'
import { simRefusal } from './sim-words.ts'
import { actItems } from './sim/asset-acts.ts'
import { useAssetActs } from './sim/use-asset-acts.tsx'
import { useAssetTags } from './use-asset-tags.ts'

const RenameInPlace = later(() => import('./RenameAsset.tsx').then((file) => file.RenameInPlace))

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
            <StatusDot {...presenceOf(asset)} className="font-normal!" />
            {asset.last_seen_at && (
              <span className="text-fg-3">
                {online ? 'last report' : 'last seen'} <RelativeTime at={asset.last_seen_at} />
              </span>
            )}
          </span>
        </>
      }
      end={<SimSwitches asset={asset} />}
    />
  )
}

/** Of the SIM: its device, where there is one, may be offline meanwhile. */
function presenceOf({ type, sim, online, last_seen_at }: Asset) {
  const status = online ? 'online' : sim?.session?.silent ? 'silent' : last_seen_at ? 'offline' : 'never_seen'
  return { status, ...(deviceKindOf(type) && { label: `SIM ${statuses[status].label.toLowerCase()}` }) } as const
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

/** On or off: the one that can be done now, or both with the reason when neither can. The rest is in the menu. */
function SimSwitches({ asset }: { asset: Asset }) {
  const { open, dialog } = useAssetActs(asset)
  const denied = useDenied()
  const refused = { activate: simRefusal('activate', asset.sim), deactivate: simRefusal('deactivate', asset.sim) }
  const neither = refused.activate !== null && refused.deactivate !== null
  return (
    <>
      {asset.sim?.session && (
        <ActionButton icon={RefreshCw} operation={resetSim} onClick={() => open('reset')}>
          Reset connectivity
        </ActionButton>
      )}
      {asset.sim && (refused.activate === null || neither) && (
        <ActionButton icon={Power} operation={activateSim} disabled={refused.activate} onClick={() => open('activate')}>
          Activate
        </ActionButton>
      )}
      {asset.sim && (refused.deactivate === null || neither) && (
        <ActionButton
          icon={PowerOff}
          color="danger-quiet"
          operation={deactivateSim}
          disabled={refused.deactivate}
          onClick={() => open('deactivate')}
        >
          Deactivate
        </ActionButton>
      )}
      <Menu
        label="More actions"
        align="end"
        trigger={<IconButton label="More actions" icon={Ellipsis} />}
        items={actItems(asset, denied, open)}
      />
      {dialog}
    </>
  )
}
