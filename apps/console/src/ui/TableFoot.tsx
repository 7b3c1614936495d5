import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'

/** spec §9: "Showing x-y of total". A count that stops at 10,000 says so. */
export const showingWords = (first: number, count: number, total: number, capped: boolean) =>
  count === 0
    ? 'Showing 0-0 of 0'
    : `Showing ${first.toLocaleString('en')}-${(first + count - 1).toLocaleString('en')} of ${total.toLocaleString('en')}${capped ? '+' : ''}`

/** How many pages there are, and how many of them can be turned to by their numbers where that is fewer. */
export const pagesWords = (byNumber: number, all: number | null) => {
  const few = byNumber.toLocaleString('en')
  if (all === null) return `${few}+`
  return all > byNumber ? `${all.toLocaleString('en')}, the first ${few} by number` : few
}

/** The foot of a table: what is shown of how many, and the way on and back; at an end the button says so and keeps the focus. */
export function TableFoot({
  words,
  onBack,
  onNext,
  children,
}: {
  words: ReactNode
  onBack?: (() => void) | null
  onNext?: (() => void) | null
  children?: ReactNode
}) {
  return (
    <div className="table-foot">
      <span aria-live="polite" className="mr-auto">
        {words}
      </span>
      {children}
      {(onBack !== undefined || onNext !== undefined) && (
        <span className="inline-flex">
          <IconButton
            label="Previous page"
            icon={ChevronLeft}
            color="secondary"
            size="small"
            className="rounded-r-none"
            disabled={!onBack && 'This is the first page'}
            onClick={() => onBack?.()}
          />
          <IconButton
            label="Next page"
            icon={ChevronRight}
            color="secondary"
            size="small"
            className="-ml-px rounded-l-none"
            disabled={!onNext && 'This is the last page'}
            onClick={() => onNext?.()}
          />
        </span>
      )}
    </div>
  )
}
