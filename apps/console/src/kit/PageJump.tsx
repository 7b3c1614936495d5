import type { Page } from '@masthead/contract/kernel/page'
import { useState, type ReactNode } from 'react'
import { pagesWords, showingWords } from '../ui/TableFoot.tsx'
import { RelativeTime } from './RelativeTime.tsx'

/** What is shown of how many; of a large list that was asked by what moves all the time, also of when that is. */
export function PageWords({ page, first, count, beside }: PageWordsProps) {
  return (
    <>
      {showingWords(first, count, page.total, page.total_capped)}
      {beside}
      {page.copied_at && (
        <>
          , found by usage and networks as they were <RelativeTime at={page.copied_at} />
        </>
      )}
    </>
  )
}

type PageWordsProps = {
  page: Page<unknown> & { copied_at?: string | null }
  first: number
  count: number
  /** What else is said of what is shown. */
  beside?: ReactNode
}

/**
 * Which page of how many, and a field that turns to another one. `all` is how many pages there are, null where the rows are not all counted; `pages`
 * of them can be turned to by their numbers.
 */
export function PageJump({
  page,
  pages,
  all,
  onJump,
}: {
  page: number
  pages: number
  all: number | null
  onJump: (page: number) => void
}) {
  const words = pagesWords(pages, all)
  const [typed, setTyped] = useState<string | null>(null)
  const jump = () => {
    const to = Math.min(pages, Number(typed ?? page)) || page
    setTyped(null)
    if (to !== page) onJump(to)
  }
  return (
    <label className="inline-flex items-center gap-1.5 text-xs whitespace-nowrap text-fg-3">
      Page
      <span className="field w-16" data-size="small">
        <input
          inputMode="numeric"
          aria-label={`Page, of ${words}`}
          className="text-right tabular-nums"
          value={typed ?? String(page)}
          maxLength={7}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, ''))}
          onBlur={jump}
          onKeyDown={(event) => event.key === 'Enter' && jump()}
          onFocus={({ target }) => target.select()}
        />
      </span>
      of {words}
    </label>
  )
}
