import type { LucideIcon } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { SelectionBar } from '../ui/SelectionBar.tsx'

/** Something to be done with the rows that are ticked. `disabled` says why not, in words. */
export type BulkAction<Row> = {
  label: string
  icon: LucideIcon
  onSelect: (rows: Row[], done: () => void) => void
  disabled?: (rows: Row[]) => string | null
}

export type Selection<Row> = {
  rows: Row[]
  clear: () => void
  parts: { selected: ReadonlySet<string>; head: ReactNode; check: (row: Row) => ReactNode }
}

/** Which rows are ticked. They stay ticked from page to page; a row that has gone is no longer. */
export function useSelection<Row>(
  page: readonly Row[] | undefined,
  rowId: (row: Row) => string,
  rowName?: (row: Row) => string
): Selection<Row> {
  const [ticked, setTicked] = useState<ReadonlyMap<string, Row>>(new Map())
  const rows = page ?? []
  const onPage = rows.filter((row) => ticked.has(rowId(row))).length
  const set = (some: readonly Row[], on: boolean) => {
    const next = new Map(ticked)
    for (const row of some) {
      if (on) next.set(rowId(row), row)
      else next.delete(rowId(row))
    }
    setTicked(next)
  }
  const selected = useMemo(() => new Set(ticked.keys()), [ticked])
  return {
    // Of a row on this page, as it is now.
    rows: [...ticked].map(([id, row]) => rows.find((one) => rowId(one) === id) ?? row),
    clear: () => setTicked(new Map()),
    parts: {
      selected,
      head: (
        <Checkbox
          aria-label="Select all on this page"
          className="align-middle"
          checked={rows.length > 0 && onPage === rows.length}
          mixed={onPage > 0 && onPage < rows.length}
          onChange={(event) => set(rows, event.target.checked)}
        />
      ),
      check: (row) => (
        <Checkbox
          aria-label={rowName ? `Select ${rowName(row)}` : 'Select this row'}
          className="align-middle"
          checked={selected.has(rowId(row))}
          onChange={(event) => set([row], event.target.checked)}
        />
      ),
    },
  }
}

/** What can be done with the rows ticked, over the foot of the list; nothing while there are none. */
export function BulkActions<Row>({
  selection: { rows, clear },
  total,
  actions,
}: {
  selection: Selection<Row>
  total: number
  actions: readonly BulkAction<Row>[]
}) {
  return (
    <SelectionBar count={rows.length} total={total} onClear={clear}>
      {actions.map((action) => (
        <Button
          key={action.label}
          color="on-ink"
          size="small"
          icon={action.icon}
          disabled={action.disabled?.(rows) ?? null}
          onClick={() => action.onSelect(rows, clear)}
        >
          {action.label}
        </Button>
      ))}
    </SelectionBar>
  )
}
