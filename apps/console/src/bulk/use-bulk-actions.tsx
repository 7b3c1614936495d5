import { mostNamedAssets } from '@masthead/contract/assets/bulk'
import type { BulkAction } from '@masthead/contract/assets/bulk-action'
import { startBulkChange } from '@masthead/contract/assets/bulk-operations'
import { ChevronUp, Power, PowerOff, RadioTower, Tag, Tags, type LucideIcon } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useDenied } from '../kit/ActionButton.tsx'
import type { Ticked } from '../kit/selection.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { actionWords } from './bulk-words.ts'

const BulkDialog = lazy(() => import('./BulkDialog.tsx').then((module) => ({ default: module.BulkDialog })))

const icons: Record<BulkAction, LucideIcon> = {
  add_tags: Tag,
  remove_tags: Tags,
  activate_sim: Power,
  deactivate_sim: PowerOff,
  set_network_group: RadioTower,
}
const actions = Object.keys(icons) as BulkAction[]

/** What can be done with the assets ticked in a list: the buttons of its selection, and the dialog of the one that was chosen. */
export function useBulkActions(): { actions: (ticked: Ticked) => ReactNode; dialog: ReactNode } {
  const [doing, setDoing] = useState<{ action: BulkAction; ticked: Ticked } | null>(null)
  const denied = useDenied()(startBulkChange)
  const open = (action: BulkAction, ticked: Ticked) => () => setDoing({ action, ticked })
  return {
    actions: (ticked) => {
      const disabled = denied ?? (ticked.ids.length > mostNamedAssets ? tooMany : null)
      return (
        <>
          <span className="hidden gap-0.5 @lg/list:inline-flex">
            {actions.map((action) => (
              <Button key={action} color="on-ink" size="small" icon={icons[action]} disabled={disabled} onClick={open(action, ticked)}>
                {actionWords[action].label}
              </Button>
            ))}
          </span>
          <span className="@lg/list:hidden">
            <Menu
              trigger={
                <Button color="on-ink" size="small">
                  Actions
                  <Icon of={ChevronUp} size={14} />
                </Button>
              }
              label="Actions on the selected assets"
              side="top"
              align="end"
              items={actions.map((action) => ({
                label: actionWords[action].label,
                icon: icons[action],
                onSelect: open(action, ticked),
                disabled,
                danger: action === 'deactivate_sim',
              }))}
            />
          </span>
        </>
      )
    },
    dialog: doing && (
      <Suspense>
        <BulkDialog {...doing} onClose={() => setDoing(null)} />
      </Suspense>
    ),
  }
}

const tooMany = `You can select ${mostNamedAssets.toLocaleString('en')} at most: narrow the list and select all that match`
