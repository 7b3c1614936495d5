import type { LucideIcon } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { isSelected, nothingSelected, select, selectedCount } from '../ui/use-selected.ts'
import { later } from './later.tsx'

/** With the first tick: a list comes without any. */
const SelectionBar = later(() => import('../ui/SelectionBar.tsx').then((file) => file.SelectionBar))

/** Something to be done with the rows that are ticked. `disabled` says why not, in words. */
export type BulkAction<Row> = {
  label: string
  icon: LucideIcon
  onSelect: (rows: Row[], done: () => void) => void
  disabled?: (rows: Row[]) => string | null
}

/** What is ticked of a list whose ticks can take all that match: `ids`, or all that answer the `query` but `ids`. */
export type Ticked = {
  all: boolean
  ids: readonly string[]
  /** How many that is; of a list that counts no further, at least so many. */
  count: number
  capped: boolean
  /** The search and the filters of the list, by their names in the call. */
  query: Readonly<Record<string, unknown>>
  clear: () => void
}

export type Selection<Row> = {
  rows: Row[]
  ticked: Ticked
  /** Takes all that match; null where they are taken already. */
  onAll: (() => void) | null
  parts: { selected: ReadonlySet<string>; head: ReactNode; check: (row: Row) => ReactNode }
}

type Listed<Row> = {
  page: readonly Row[] | undefined
  total: number
  capped: boolean
  rowId: (row: Row) => string
  rowName: ((row: Row) => string) | undefined
  query: Readonly<Record<string, unknown>>
  /** All that match can be taken; another question then begins without ticks, since other rows match it. */
  takesAll: boolean
}

/** Which rows are ticked. They stay ticked from page to page. */
export function useSelection<Row>({ page, total, capped, rowId, rowName, query, takesAll }: Listed<Row>): Selection<Row> {
  const question = takesAll ? JSON.stringify(query) : ''
  const [kept, keep] = useState({ question, selected: nothingSelected, known: new Map<string, Row>() as ReadonlyMap<string, Row> })
  const { selected, known } = kept.question === question ? kept : { selected: nothingSelected, known: new Map<string, Row>() }
  const rows = page ?? []
  const onPage = rows.filter((row) => isSelected(selected, rowId(row))).length
  const set = (some: readonly Row[], on: boolean) =>
    keep({
      question,
      selected: select(selected, some.map(rowId), on),
      known: new Map([...known, ...some.map((row) => [rowId(row), row] as const)]),
    })
  const clear = () => keep({ question, selected: nothingSelected, known: new Map() })
  const shown = useMemo(() => new Set((page ?? []).map(rowId).filter((id) => isSelected(selected, id))), [page, rowId, selected])
  const ids = [...selected.ids]
  return {
    // Of a row on this page, as it is now.
    rows: ids.map((id) => rows.find((one) => rowId(one) === id) ?? known.get(id)!),
    ticked: { all: selected.all, ids, count: selectedCount(selected, total), capped: selected.all && capped, query, clear },
    // With any tick: narrow, the list has no head to tick the page with.
    onAll: takesAll && !selected.all ? () => keep({ question, selected: { all: true, ids: new Set() }, known: new Map() }) : null,
    parts: {
      selected: shown,
      head: (
        <Checkbox
          aria-label="Select all on this page"
          className="align-middle"
          // Until there are rows: a tick would be lost without a word.
          disabled={rows.length === 0}
          checked={rows.length > 0 && onPage === rows.length}
          mixed={onPage > 0 && onPage < rows.length}
          onChange={(event) => set(rows, event.target.checked)}
        />
      ),
      check: (row) => (
        <Checkbox
          aria-label={rowName ? `Select ${rowName(row)}` : 'Select this row'}
          className="align-middle"
          checked={isSelected(selected, rowId(row))}
          onChange={(event) => set([row], event.target.checked)}
        />
      ),
    },
  }
}

/** What can be done with the rows ticked, over the foot of the list; nothing while there are none. */
export function SelectedRows<Row>({
  selection: { rows, ticked, onAll },
  total,
  totalWords,
  actions,
}: {
  selection: Selection<Row>
  total: number
  totalWords: string
  actions: readonly BulkAction<Row>[] | ((ticked: Ticked) => ReactNode)
}) {
  if (ticked.count === 0) return null
  return (
    <SelectionBar count={ticked.count} total={total} totalWords={totalWords} onAll={onAll} onClear={ticked.clear}>
      {typeof actions === 'function'
        ? actions(ticked)
        : actions.map((action) => (
            <Button
              key={action.label}
              color="on-ink"
              size="small"
              icon={action.icon}
              disabled={action.disabled?.(rows) ?? null}
              onClick={() => action.onSelect(rows, ticked.clear)}
            >
              {action.label}
            </Button>
          ))}
    </SelectionBar>
  )
}
