import { useEffect, useState } from 'react'

/** Which page of how many, and a field that turns to another one. */
export function PageJump({ page, pages, onJump }: { page: number; pages: number; onJump: (page: number) => void }) {
  const [typed, setTyped] = useState(String(page))
  useEffect(() => setTyped(String(page)), [page])
  const jump = () => {
    const to = Math.min(pages, Math.max(1, Math.round(Number(typed))))
    setTyped(String(to || page))
    if (to && to !== page) onJump(to)
  }
  return (
    <label className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-fg-3">
      Page
      <span className="field w-16" data-size="small">
        <input
          inputMode="numeric"
          aria-label={`Page, of ${pages.toLocaleString('en')}`}
          className="text-right tabular-nums"
          value={typed}
          maxLength={7}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, ''))}
          onBlur={jump}
          onKeyDown={(event) => event.key === 'Enter' && jump()}
          onFocus={({ target }) => target.select()}
        />
      </span>
      of {pages.toLocaleString('en')}
    </label>
  )
}
