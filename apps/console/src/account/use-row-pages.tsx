import { useState, type ReactNode } from 'react'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'

// spec §9
const rowsOnPage = 10

/** Ten rows at a time of a list that is here as a whole, and the foot that leads to the others. */
export function useRowPages<Row>(rows: readonly Row[] | undefined): { shown: readonly Row[] | undefined; foot: ReactNode } {
  const [page, setPage] = useState(1)
  const total = rows?.length ?? 0
  if (!rows || total <= rowsOnPage) return { shown: rows, foot: null }
  const last = Math.ceil(total / rowsOnPage)
  const now = Math.min(page, last)
  const first = (now - 1) * rowsOnPage
  const shown = rows.slice(first, first + rowsOnPage)
  return {
    shown,
    foot: (
      <TableFoot
        words={showingWords(first + 1, shown.length, total, false)}
        onBack={now > 1 ? () => setPage(now - 1) : null}
        onNext={now < last ? () => setPage(now + 1) : null}
      />
    ),
  }
}
