import { Check } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { moveFocus } from './Menu.tsx'
import { SearchField } from './SearchField.tsx'
import { Tooltip } from './Tooltip.tsx'

export type Option<Value extends string = string> = {
  value: Value
  label: string
  /** Shown before the label: a state's shape, a tag's colour. */
  mark?: ReactNode
  /** Behind the label: a count. */
  note?: ReactNode
  disabled?: boolean
}

/** spec §9: so long one hovers until the whole label is said. Milliseconds. */
export const hoverDelay = 500

/** spec §5: case-insensitive on labels. */
const matchOptions = <Value extends string>(options: readonly Option<Value>[], search: string) => {
  const wanted = search.trim().toLowerCase()
  return wanted === '' ? options : options.filter((option) => option.label.toLowerCase().includes(wanted))
}

/** Options to choose from, with a search above when there are many. Single: choosing ends it. Multiple: each is ticked by itself. */
export function OptionList<Value extends string>({
  label,
  options,
  chosen,
  onToggle,
  multiple = false,
  search = options.length > 8,
  limit,
}: {
  label: string
  options: readonly Option<Value>[]
  chosen: readonly Value[]
  onToggle: (value: Value) => void
  multiple?: boolean
  search?: boolean
  /** Shows at most so many and says "... and N more" (spec §9). */
  limit?: number
}) {
  const [wanted, setWanted] = useState('')
  const typed = useRef({ text: '', at: 0 })
  const list = useRef<HTMLDivElement>(null)
  const matching = matchOptions(options, wanted)
  const shown = limit ? matching.slice(0, limit) : matching
  const first = shown.find((option) => chosen.includes(option.value)) ?? shown[0]
  return (
    <div
      className="grid min-h-0"
      onKeyDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) return
        // As it stands in the field: what is shown may be a letter behind.
        const { value } = event.target
        const found = value.trim() === '' ? undefined : matchOptions(options, value).find((option) => !option.disabled)
        if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('[role=option]')?.focus()
        else if (event.key === 'Enter' && found) onToggle(found.value)
        else if (event.key !== 'Enter') return
        // Enter would also send the form around it.
        event.preventDefault()
      }}
    >
      {search && (
        <div className="sticky -top-1 z-1 -mt-1 border-b border-line bg-raised pt-1 pb-1">
          <SearchField value={wanted} onChange={setWanted} label={`Find in ${label}`} placeholder="Find" size="small" wait={0} />
        </div>
      )}
      <div
        ref={list}
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple || undefined}
        className={cx(search && 'pt-1')}
        onKeyDown={(event) => moveFocus(event, '[role=option]', typed.current)}
      >
        {shown.map((option) => {
          const on = chosen.includes(option.value)
          return (
            <Tooltip key={option.value} content={option.label} side="right" delay={hoverDelay} silent when={isCut}>
              <button
                type="button"
                role="option"
                aria-selected={on}
                aria-disabled={option.disabled || undefined}
                tabIndex={option === first ? 0 : -1}
                className={cx('option', option.disabled && 'cursor-not-allowed text-fg-3')}
                onClick={() => !option.disabled && onToggle(option.value)}
              >
                {multiple && <Tick on={on} />}
                {option.mark}
                <span className="truncate" data-label>
                  {option.label}
                </span>
                <span className="ml-auto inline-flex items-center gap-2 pl-3 text-xs text-fg-3">
                  {option.note}
                  {!multiple && on && <Icon of={Check} size={14} className="text-link" />}
                </span>
              </button>
            </Tooltip>
          )
        })}
      </div>
      {shown.length === 0 && <p className="px-2 py-3 text-xs text-fg-3">Nothing matches “{wanted}”</p>}
      {shown.length < matching.length && <p className="px-2 py-1.5 text-xs text-fg-3">... and {matching.length - shown.length} more</p>}
    </div>
  )
}

/** Whether a label had no room to be shown whole. */
const isCut = (option: Element) => {
  const words = option.querySelector('[data-label]')
  return words !== null && words.scrollWidth > words.clientWidth
}

/** A tick that is only drawn; the option itself says whether it is chosen. */
const Tick = ({ on }: { on: boolean }) => (
  <span
    aria-hidden
    className={cx(
      'inline-grid size-4 flex-none place-items-center rounded-sm border',
      on ? 'border-accent-line bg-accent text-on-green' : 'border-control bg-bg'
    )}
  >
    {on && <Check size={12} strokeWidth={2.5} />}
  </span>
)
