import type { AlikeAction } from '@masthead/contract/assets/bulk/bulk-action'
import { useState, type ReactNode } from 'react'
import { later } from '../../kit/later.tsx'
import type { Ticked } from '../../kit/selection.tsx'
import type { FleetAction } from './BulkBar.tsx'

const FleetOfTicked = later(async () => (await import('../../alpon-fleets/index.ts')).FleetOfTicked)
const BulkBar = later(() => import('./dialogs.ts').then((file) => file.BulkBar))
const BulkDialog = later(() => import('./dialogs.ts').then((file) => file.BulkDialog))

/** What can be done with the assets ticked in a list: the buttons of its selection, and the dialog of the one that was chosen. */
export function useBulkActions(): { actions: (ticked: Ticked) => ReactNode; dialog: ReactNode } {
  const [doing, setDoing] = useState<{ action: AlikeAction | FleetAction; ticked: Ticked } | null>(null)
  const close = () => setDoing(null)
  return {
    actions: (ticked) => <BulkBar ticked={ticked} onChoose={(action) => setDoing({ action, ticked })} />,
    dialog:
      doing &&
      (doing.action === 'add_to_fleet' || doing.action === 'take_out_of_fleet' ? (
        <FleetOfTicked out={doing.action === 'take_out_of_fleet'} ticked={doing.ticked} onClose={close} />
      ) : (
        <BulkDialog action={doing.action} ticked={doing.ticked} onClose={close} />
      )),
  }
}
