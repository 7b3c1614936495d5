import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { pageNumbers } from './pages.ts'

/** Pages by number, for a list whose length is known. Each is a button; the current one says so. */
export function Pagination({
  label,
  page,
  pages,
  onChange,
  disabled = false,
}: {
  label: string
  /** From 1. */
  page: number
  pages: number
  onChange: (page: number) => void
  disabled?: boolean
}) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap items-center gap-0.5">
        <li>
          <IconButton
            label="Previous page"
            icon={ChevronLeft}
            size="small"
            disabled={disabled || (page <= 1 && 'This is the first page')}
            onClick={() => onChange(page - 1)}
          />
        </li>
        {pageNumbers(page, pages).map((number, at) =>
          number === null ? (
            <li key={`gap ${at}`} className="w-7 text-center text-fg-3">
              <span aria-hidden>…</span>
            </li>
          ) : (
            <li key={number}>
              <button
                type="button"
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
                disabled={disabled}
                className={cx(
                  'h-7 min-w-7 rounded-md px-1.5 text-xs tabular-nums coarse:h-10 coarse:min-w-10',
                  number === page ? 'bg-active font-semibold text-fg' : 'text-fg-2 hover:bg-active hover:text-fg',
                  disabled && 'cursor-not-allowed text-disabled'
                )}
                onClick={() => number !== page && onChange(number)}
              >
                {number.toLocaleString('en')}
              </button>
            </li>
          )
        )}
        <li>
          <IconButton
            label="Next page"
            icon={ChevronRight}
            size="small"
            disabled={disabled || (page >= pages && 'This is the last page')}
            onClick={() => onChange(page + 1)}
          />
        </li>
      </ul>
    </nav>
  )
}
