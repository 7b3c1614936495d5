import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'

/** Finds text in what the terminal has kept. Enter goes on, Shift with it goes back. */
export function FindBar({ onFind, onClose }: { onFind: (text: string, back: boolean) => boolean; onClose: () => void }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState(true)
  const find = (back: boolean) => setFound(text === '' || onFind(text, back))
  return (
    <form
      role="search"
      className="terminal-find"
      onSubmit={(event) => {
        event.preventDefault()
        find(false)
      }}
    >
      <input
        className="input h-7 w-48 px-2 text-sm"
        aria-label="Find in the terminal"
        placeholder="Find"
        value={text}
        // One opens it to type in it.
        autoFocus
        onChange={({ target }) => {
          setText(target.value)
          setFound(true)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          if (event.key !== 'Enter' || !event.shiftKey) return
          event.preventDefault()
          find(true)
        }}
      />
      <span role="status" className="text-xs text-bad-fg">
        {found ? '' : 'Not found'}
      </span>
      <IconButton label="Previous match" icon={ChevronUp} size="small" onClick={() => find(true)} />
      <IconButton label="Next match" icon={ChevronDown} size="small" onClick={() => find(false)} />
      <IconButton label="Close" icon={X} size="small" onClick={onClose} />
    </form>
  )
}
