import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import { useSuggestions, type Suggest } from './SearchSuggestions.tsx'

/** What may follow what is typed; asked for with the first focus. */
export type Suggesting = { onFocus: () => void; suggest: Suggest }

// As much as any search takes.
const mostTyped = 100

/** Searches as one types, after a short rest; Escape empties it. `hotkey` focuses it with `/` from anywhere on the screen. */
export function SearchField({
  value,
  onChange,
  label,
  placeholder,
  size = 'medium',
  hotkey = false,
  wait = 250,
  autoFocus = false,
  longest = mostTyped,
  suggesting,
  onPaste,
}: {
  value: string
  onChange: (value: string) => void
  label: string
  placeholder?: string
  size?: 'small' | 'medium'
  hotkey?: boolean
  /** Milliseconds of rest. 0: at once. */
  wait?: number
  autoFocus?: boolean
  /** Characters that can be typed. */
  longest?: number
  suggesting?: Suggesting
  /** True where the pasted text is taken otherwise. */
  onPaste?: (text: string) => boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  // What was said and has not come back yet as the value: what is typed meanwhile must not be lost to it.
  const said = useRef<string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!hotkey) return
    const focus = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName))
        return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [hotkey])
  useEffect(() => {
    const at = said.current.findIndex((one) => one.trim() === value.trim())
    said.current.splice(0, at < 0 ? said.current.length : at + 1)
    // It comes from elsewhere, as by the back button.
    if (at < 0) setTyped(null)
  }, [value])
  const say = (text: string) => {
    clearTimeout(timer.current)
    setTyped(text)
    if (text === value) return
    said.current.push(text)
    onChange(text)
  }
  const text = typed ?? value
  const type = (next: string) => {
    clearTimeout(timer.current)
    setTyped(next)
    timer.current = setTimeout(() => say(next), wait)
  }
  const { props, list, look, onKeyDown, anchor } = useSuggestions(suggesting?.suggest, (next, caret, lookAgain) => {
    type(next)
    requestAnimationFrame(() => {
      input.current?.setSelectionRange(caret, caret)
      if (input.current) lookAgain(input.current)
    })
  })
  return (
    // One search is the screen's; those in lists and panels are fields like others.
    <div ref={anchor} className="field" data-size={size} role={hotkey ? 'search' : undefined}>
      <Icon of={Search} size={size === 'small' ? 14 : 16} className="text-fg-3" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={longest}
        autoComplete="off"
        spellCheck={false}
        {...props}
        onFocus={suggesting?.onFocus}
        autoFocus={autoFocus}
        onPaste={(event) => {
          if (onPaste?.(event.clipboardData.getData('text'))) event.preventDefault()
        }}
        onChange={({ target }) => {
          if (wait === 0) return onChange(target.value)
          type(target.value)
          look(target)
        }}
        onKeyDown={(event) => {
          if (onKeyDown(event)) return
          if (event.key === 'Enter') say(event.currentTarget.value)
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          say('')
        }}
      />
      {text !== '' ? (
        <button
          type="button"
          aria-label="Clear search"
          className="-mr-1 grid size-6 place-items-center rounded-sm text-fg-3 hover:bg-active hover:text-fg"
          onClick={() => say('')}
        >
          <Icon of={X} size={14} />
        </button>
      ) : (
        hotkey && <kbd className="kbd coarse:hidden">/</kbd>
      )}
      {list}
    </div>
  )
}
