import type { LucideIcon } from 'lucide-react'
import { cloneElement, useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { Align, Side } from './place.ts'
import { usePopover } from './Popover.tsx'

export type MenuItem =
  | {
      label: string
      icon?: LucideIcon
      onSelect: () => void
      /** Why it cannot be done now, in words; it stays in the list and says so. */
      disabled?: string | null
      danger?: boolean
      /** Set on items of which one is chosen. */
      checked?: boolean
    }
  | { separator: true }
  | { heading: string }

/** Moves the focus among the items of a list by arrow keys, Home, End and first letters. */
export function moveFocus(event: React.KeyboardEvent<HTMLElement>, selector: string, typed: { text: string; at: number }) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  if (items.length === 0) return
  const now = items.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }
  let next = steps[event.key]
  if (next === undefined && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    typed.text = event.timeStamp - typed.at > 600 ? event.key : typed.text + event.key
    typed.at = event.timeStamp
    const found = items.findIndex((item) => item.textContent.trim().toLowerCase().startsWith(typed.text.toLowerCase()))
    if (found >= 0) next = found
  }
  if (next === undefined) return
  event.preventDefault()
  items[(next + items.length) % items.length]!.focus()
}

/** A list of actions behind a button. */
export function Menu({
  trigger,
  label,
  items,
  header,
  side,
  align,
}: {
  trigger: ReactElement<ComponentProps<'button'>>
  label: string
  items: MenuItem[]
  header?: ReactNode
  side?: Side
  align?: Align
}) {
  const typed = useRef({ text: '', at: 0 })
  const menu = usePopover({
    ...(side && { side }),
    ...(align && { align }),
    onOpen: (popup) => popup.querySelector<HTMLElement>('[role^="menuitem"]')?.focus(),
  })
  return (
    <>
      {cloneElement(trigger, { ref: menu.trigger, popoverTarget: menu.id, 'aria-haspopup': 'menu', 'aria-expanded': menu.open })}
      <div {...menu.popup} className="floating panel-float fading max-h-[min(800px,calc(100vh-16px))] min-w-[200px] p-1">
        {menu.open && (
          <>
            {header}
            <div
              role="menu"
              aria-label={label}
              tabIndex={-1}
              onKeyDown={(event) => (event.key === 'Tab' ? menu.close() : moveFocus(event, '[role^="menuitem"]', typed.current))}
            >
              {items.map((item, index) => (
                <MenuRow key={'label' in item ? item.label : index} item={item} close={menu.close} />
              ))}
            </div>
          </>
        )}
      </div>
    </>
  )
}

function MenuRow({ item, close }: { item: MenuItem; close: () => void }) {
  if ('separator' in item) return <div role="separator" className="my-1 h-px bg-line" />
  if ('heading' in item)
    return (
      <div role="presentation" className="px-2 pt-1.5 pb-1 text-2xs text-fg-3">
        {item.heading}
      </div>
    )
  const { label, icon, onSelect, disabled, danger, checked } = item
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled ? true : undefined}
      tabIndex={-1}
      className={cx('option', danger && !disabled && 'text-bad-fg', disabled && 'cursor-not-allowed text-fg-3')}
      onClick={() => {
        if (disabled) return
        close()
        onSelect()
      }}
    >
      {icon && <Icon of={icon} className={cx(danger && !disabled ? 'text-bad-fg' : 'text-fg-3')} />}
      <span className="grid text-left">
        {label}
        {disabled && <span className="max-w-60 text-xs whitespace-normal text-fg-3">{disabled}</span>}
      </span>
      {checked && <span className="ml-auto size-1.5 rounded-full bg-accent-line" aria-hidden />}
    </button>
  )
}
