import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { cx } from './cx.ts'
import { usePopover } from './Popover.tsx'

/** What may be written in place of the text between two places. */
export type Suggestion = { from: number; to: number; insert: string; label: string; note?: string }
export type Suggest = (text: string, caret: number) => readonly Suggestion[]

type Take = (text: string, caret: number, look: (input: HTMLInputElement) => void) => void

/** A list below a search that follows what is typed: arrow keys walk it, Tab or Enter take, Escape leaves it. It chooses nothing by itself. */
export function useSuggestions(suggest: Suggest | undefined, take: Take) {
  const popover = usePopover({ manual: true })
  const id = useId()
  const [items, setItems] = useState<readonly Suggestion[]>([])
  const [at, setAt] = useState(-1)
  const [text, setText] = useState('')
  const isOpen = items.length > 0
  useEffect(() => {
    if (isOpen) popover.show()
    else if (popover.open) popover.close()
  })
  const close = () => setItems([])
  const look = (input: HTMLInputElement) => {
    if (!suggest) return
    setText(input.value)
    setItems(suggest(input.value, input.selectionStart ?? input.value.length))
    setAt(-1)
  }
  const choose = ({ from, to, insert }: Suggestion) => {
    close()
    take(text.slice(0, from) + insert + text.slice(to), from + insert.length, look)
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((now) => (now + step + items.length + (now < 0 && step < 0 ? 1 : 0)) % items.length)
    else if (event.key === 'Escape') close()
    else if ((event.key === 'Tab' || event.key === 'Enter') && items[at]) choose(items[at])
    else {
      if (event.key === 'Enter') close()
      return false
    }
    event.preventDefault()
    return true
  }
  const props = suggest && {
    'aria-autocomplete': 'list' as const,
    'aria-controls': isOpen ? `${id}-list` : undefined,
    'aria-activedescendant': isOpen && at >= 0 ? `${id}-${at}` : undefined,
    onBlur: close,
  }
  const list = suggest && (
    <div {...popover.popup} className="floating panel-float p-1">
      {isOpen && (
        <div role="listbox" id={`${id}-list`} aria-label="Suggestions">
          {items.map((item, nth) => (
            <div
              key={item.label}
              id={`${id}-${nth}`}
              role="option"
              aria-selected={nth === at}
              className={cx('option', nth === at && 'bg-active')}
              // Before the search loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                choose(item)
              }}
            >
              <span className="truncate font-mono text-xs">{item.label}</span>
              {item.note && <span className="ml-auto truncate pl-3 text-xs text-fg-3">{item.note}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  )
  return { props, list, look, onKeyDown, anchor: popover.anchor as RefObject<HTMLDivElement | null> }
}
