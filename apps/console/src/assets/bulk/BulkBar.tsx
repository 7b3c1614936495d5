import { addFleetAssets, listFleets, removeFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import { mostNamedAssets } from '@masthead/contract/assets/bulk/bulk'
import type { AlikeAction } from '@masthead/contract/assets/bulk/bulk-action'
import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { configureDevice, updateDevice } from '@masthead/contract/devices/operations'
import {
  ArrowUpCircle,
  Boxes,
  ChevronUp,
  CircleDashed,
  CircleMinus,
  Gauge,
  Moon,
  PackageOpen,
  Power,
  PowerOff,
  RadioTower,
  RefreshCw,
  RotateCw,
  Settings2,
  Smartphone,
  Tag,
  Tags,
  ToggleLeft,
  ToggleRight,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { useDenied } from '../../kit/ActionButton.tsx'
import type { Ticked } from '../../kit/selection.tsx'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { actionWords, dangers } from './bulk-words.ts'

const icons: Record<AlikeAction, LucideIcon> = {
  add_tags: Tag,
  remove_tags: Tags,
  activate_sim: Power,
  deactivate_sim: PowerOff,
  standby_sim: Moon,
  ready_sim: CircleDashed,
  set_limit: Gauge,
  raise_limit: Gauge,
  imei_lock: Smartphone,
  set_network_group: RadioTower,
  reset_sim: RotateCw,
  switch_on: ToggleRight,
  switch_off: ToggleLeft,
  update_core: RefreshCw,
  configure_core: Settings2,
  update_agent: ArrowUpCircle,
  release: PackageOpen,
  terminate_sim: Trash2,
}
/** Those with a button; the rest is behind "More". */
const first = ['add_tags', 'remove_tags', 'activate_sim', 'deactivate_sim'] as const
const rest = [
  'standby_sim',
  'ready_sim',
  'set_limit',
  'raise_limit',
  'imei_lock',
  'set_network_group',
  'reset_sim',
  'switch_on',
  'switch_off',
  'update_core',
  'configure_core',
  'update_agent',
  'release',
  'terminate_sim',
] as const

/** Those that are none of our changes of many: fleets have calls of their own. */
export type FleetAction = 'add_to_fleet' | 'take_out_of_fleet'

/** The buttons below the ticked assets of a list. */
export function BulkBar({ ticked, onChoose }: { ticked: Ticked; onChoose: (action: AlikeAction | FleetAction) => void }) {
  const refused = useDenied()
  const disabled = refused(startBulkChange) ?? (ticked.ids.length > mostNamedAssets ? tooMany : null)
  const denied: Partial<Record<AlikeAction, string | null>> = {
    update_core: refused(updateDevice),
    configure_core: refused(configureDevice),
    release: refused(releaseAsset),
  }
  const item = (action: AlikeAction) => ({
    label: actionWords[action].label,
    icon: icons[action],
    onSelect: () => onChoose(action),
    disabled: denied[action] ?? disabled,
    danger: dangers.includes(action),
  })
  const ofFleet = (action: FleetAction, label: string, icon: LucideIcon, why: string | null) => ({
    label,
    icon,
    onSelect: () => onChoose(action),
    disabled: why ?? refused(listFleets) ?? (ticked.ids.length > mostNamedAssets ? tooMany : null),
  })
  const fleets = [
    ofFleet('add_to_fleet', 'Add to fleet', Boxes, refused(addFleetAssets)),
    ofFleet('take_out_of_fleet', 'Take out of fleet', CircleMinus, refused(removeFleetAssets)),
  ]
  const menu = (words: string, of: readonly AlikeAction[]) => (
    <Menu
      trigger={
        <Button color="on-ink" size="small">
          {words}
          <Icon of={ChevronUp} size={14} />
        </Button>
      }
      label={words === 'More' ? 'More actions on the selected assets' : 'Actions on the selected assets'}
      side="top"
      align="end"
      items={[...of.slice(0, -2).map(item), ...fleets, ...of.slice(-2).map(item)]}
    />
  )
  return (
    <>
      <span className="hidden gap-0.5 @lg/list:inline-flex">
        {first.map((action) => (
          <Button key={action} color="on-ink" size="small" icon={icons[action]} disabled={disabled} onClick={() => onChoose(action)}>
            {actionWords[action].label}
          </Button>
        ))}
        {menu('More', rest)}
      </span>
      <span className="@lg/list:hidden">{menu('Actions', [...first, ...rest])}</span>
    </>
  )
}

const tooMany = `You can select ${mostNamedAssets.toLocaleString('en')} at most: narrow the list and select all that match`
