import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tab<Id extends string = string> = {
  id: Id
  label: string
  /** How many things are behind it. */
  count?: number
  /** Why it cannot be opened, in words. */
  disabled?: string
}

/** The strip of tabs. The panel is the caller's: give it `tabPanelProps(id)`. */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChange,
}: {
  label: string
  tabs: readonly Tab<Id>[]
  current: Id
  onChange: (id: Id) => void
}) {
  const open = tabs.filter((tab) => !tab.disabled)
  return (
    <div
      role="tablist"
      aria-label={label}
      className="flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]"
      onKeyDown={(event) => {
        const now = open.findIndex((tab) => tab.id === current)
        const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: open.length - 1 }[event.key]
        const next = to === undefined ? undefined : open[(to + open.length) % open.length]
        if (!next) return
        event.preventDefault()
        event.currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
        onChange(next.id)
      }}
    >
      {tabs.map(({ id, label: words, count, disabled }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === current}
          aria-controls={id === current ? `panel-${id}` : undefined}
          aria-disabled={disabled ? true : undefined}
          title={disabled}
          tabIndex={id === current ? 0 : -1}
          onClick={() => !disabled && onChange(id)}
          className={cx(
            'relative flex h-10 flex-none items-center gap-1.5 font-medium whitespace-nowrap focus-visible:-outline-offset-2',
            id === current && 'text-fg after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-accent-line',
            id !== current && (disabled ? 'cursor-not-allowed text-disabled' : 'text-fg-2 hover:text-fg')
          )}
        >
          {words}
          {count !== undefined && <span className="font-normal text-fg-3">{count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  )
}

/** What makes an element the panel of a tab. */
export const tabPanelProps = (id: string) => ({ id: `panel-${id}`, role: 'tabpanel', 'aria-labelledby': `tab-${id}` })

/** Where the panel is whatever route stands below: keeps the strip's look for links. */
export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div {...tabPanelProps(id)} className="pt-5">
      {children}
    </div>
  )
}
