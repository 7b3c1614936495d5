import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useRested } from '../kit/use-rested.ts'
import { Icon } from '../ui/Icon.tsx'
import { useDialog } from '../ui/use-dialog.ts'
import type { Command } from './palette-match.ts'
import { useCommands } from './palette-commands.ts'

const groups = ['Screens', 'Actions', 'Assets'] as const

/** Goes to any screen or asset and does what the frame can do, by a few letters. */
export function Palette({ onClose, typed }: { onClose: () => void; typed: string }) {
  const dialog = useDialog({ onClose, mayClose: true })
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState(typed)
  const [chosen, setChosen] = useState(0)
  const { commands, searching, failed } = useCommands(wanted, useRested(wanted))
  const unsearched = failed && !searching
  const at = Math.min(chosen, Math.max(commands.length - 1, 0))
  useEffect(() => {
    list.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const move = (event: React.KeyboardEvent, to: number) => {
    event.preventDefault()
    if (commands.length > 0) setChosen((to + commands.length) % commands.length)
  }
  return (
    <dialog {...dialog} className="modal" data-position="top-center" aria-label="Command palette">
      <div data-body className="flex items-center gap-2 border-b border-line px-3">
        <Icon of={Search} className="text-fg-3" />
        <input
          type="text"
          role="combobox"
          aria-label="Find a screen, an action or an asset"
          placeholder="Find a screen, an action or an asset"
          aria-expanded={commands.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={commands[at] && `${id}-${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          className="h-11 min-w-0 flex-1 bg-transparent text-md outline-none placeholder:text-fg-3"
          value={wanted}
          onChange={({ target }) => {
            setWanted(target.value)
            setChosen(0)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            // There is nothing else to go to.
            if (event.key === 'Tab') event.preventDefault()
            if (event.key === 'ArrowDown') move(event, at + 1)
            if (event.key === 'ArrowUp') move(event, at - 1)
            if (event.key !== 'Enter') return
            // The focus goes back to the button that opened this: the same press must not press it again.
            event.preventDefault()
            run(commands[at])
          }}
        />
        <kbd className="kbd coarse:hidden">Esc</kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        tabIndex={-1}
        className="max-h-[min(400px,60dvh)] overflow-y-auto p-1 empty:hidden"
      >
        {groups.map((group) => {
          const rows = commands.map((command, index) => ({ command, index })).filter(({ command }) => command.group === group)
          if (rows.length === 0) return null
          return (
            <div key={group} role="group" aria-label={group}>
              <div role="presentation" className="px-2 pt-2 pb-1 text-2xs text-fg-3">
                {group}
              </div>
              {rows.map(({ command, index }) => (
                <div
                  key={command.id}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  data-current={index === at ? '' : undefined}
                  className="option"
                  onPointerMove={() => setChosen(index)}
                  onClick={() => run(command)}
                >
                  {command.icon && <Icon of={command.icon} className="text-fg-3" />}
                  <span className="truncate">{command.label}</span>
                  {command.note && <span className="ml-auto truncate pl-3 text-xs text-fg-3">{command.note}</span>}
                </div>
              ))}
            </div>
          )
        })}
      </div>
      <p role="status" className={commands.length > 0 && !unsearched ? 'sr-only' : 'px-3 py-4 text-fg-2'}>
        {commands.length > 0 && !unsearched && `${commands.length} found`}
        {commands.length === 0 && searching && 'Searching assets'}
        {commands.length === 0 && !searching && !failed && `Nothing matches “${wanted}”`}
        {unsearched && 'Assets could not be searched'}
      </p>
    </dialog>
  )
}
