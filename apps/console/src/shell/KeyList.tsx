import { Fragment } from 'react'
import { Modal } from '../ui/Modal.tsx'
import { commandKey } from './keys.ts'

const keys: [string[], string][] = [
  [[commandKey, 'K'], 'Find a screen, an action or an asset'],
  [['/'], 'Search on this screen, or everywhere'],
  [['?'], 'Show keyboard shortcuts'],
  [['Esc'], 'Close a dialog or menu; clear a search'],
  [['↑', '↓'], 'Move in a menu or list'],
  [['Home', 'End'], 'Go to the first or last item'],
  [['J', 'K'], 'Go to the next row of a table, or the one before'],
  [['X'], 'Tick the row'],
  [['Enter'], 'Choose, or open the row'],
  [['Tab'], 'Go to the next control'],
]

/** The keys of the console. */
export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        {keys.map(([pressed, words]) => (
          <Fragment key={words}>
            <dt className="flex gap-1">
              {pressed.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-fg-2">{words}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  )
}
