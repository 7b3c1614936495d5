import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useId, useMemo, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { EmptyState } from './EmptyState.tsx'
import { sortHead, type Column } from './Table.tsx'

type WindowedTableProps<Row> = {
  label: string
  /** At module scope, or kept: new ones draw every row again. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Pixels; the table scrolls inside. */
  height: number
  sort?: string
  onSort?: (sort: string) => void
  selected?: ReadonlySet<string>
  /** Space, or a press with Ctrl, ticks a row. */
  onSelect?: (row: Row) => void
  /** Enter, or a press. */
  onOpen?: (row: Row) => void
}

const rowHeight = 36
/** Rows drawn at least above and below the visible ones. */
const spare = 4
/** Rows come and go by so many at once, so that most frames of a steady scroll have nothing to draw. */
const step = 8

/**
 * A table of very many rows at hand, of which only the visible ones are drawn. It is one stop for Tab: arrow keys, Page Up/Down, Home and End
 * walk the rows. All rows are equally high; cells are of one line.
 */
export function WindowedTable<Row>({
  label,
  columns,
  rows,
  rowId,
  height,
  sort = '',
  onSort,
  selected,
  onSelect,
  onOpen,
}: WindowedTableProps<Row>) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const [focused, setFocused] = useState(false)
  const start = useRef(0)
  const slots = Math.ceil(height / rowHeight) + 1 + 2 * spare + step
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    rangeExtractor: (range) => {
      // Where no row of before is visible, none to spare will be either.
      const jumped = Math.abs(range.startIndex - start.current) > range.endIndex - range.startIndex
      start.current = range.startIndex
      if (jumped) return defaultRangeExtractor({ ...range, overscan: 1 })
      const first = Math.max(0, Math.min(rows.length - slots, Math.floor((range.startIndex - spare) / step) * step))
      return Array.from({ length: Math.min(slots, rows.length - first) }, (_, place) => first + place)
    },
    // The head stands over the first rows.
    scrollPaddingStart: rowHeight,
  })
  const sizes = useMemo(() => columns.map(({ width: own }) => ({ flex: own ? `0 0 ${own}px` : '1 0 160px' })), [columns])
  const width = useMemo(() => columns.reduce((sum, column) => sum + (column.width ?? 160), 0) + 28, [columns])
  const items = virtual.getVirtualItems()
  // A row that leaves is the one that comes, with other words in it: a scrollbar that is dragged changes all of them in each frame, and to
  // make new ones would take three times as long. None is moved among the others before the table rests, when all stand in order again.
  const begin = useRef(0)
  if (!virtual.isScrolling) begin.current = items[0]?.index ?? 0
  const slotOf = (index: number) => (((index - begin.current) % slots) + slots) % slots
  const drawn = items.map(({ index }) => ({ index, slot: slotOf(index) })).sort((a, b) => a.slot - b.slot)
  const current = Math.min(at, rows.length - 1)
  const page = Math.max(1, Math.floor((height - rowHeight) / rowHeight) - 1)

  const go = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to))
    setAt(next)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(current + 1),
    ArrowUp: () => go(current - 1),
    PageDown: () => go(current + page),
    PageUp: () => go(current - page),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    Enter: () => onOpen?.(rows[current]!),
    ' ': () => onSelect?.(rows[current]!),
  }
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onSelect ? true : undefined}
      aria-activedescendant={rows.length > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      className="windowed"
      style={{ height }}
      onFocus={(event) => event.target === event.currentTarget && setFocused(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (!act || event.target !== event.currentTarget || rows.length === 0) return
        event.preventDefault()
        setFocused(true)
        act()
      }}
    >
      <div role="rowgroup" className="windowed-head" style={{ minWidth: width }}>
        <div role="row" aria-rowindex={1} className="contents">
          {columns.map((column, place) => (
            <HeadCell key={column.id} column={column} size={sizes[place]!} sort={sort} {...(onSort && { onSort })} />
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <div role="row">
          <div role="gridcell">
            <EmptyState title="No data found" />
          </div>
        </div>
      ) : (
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize(), minWidth: width }}>
          {drawn.map(({ index }) => {
            const row = rows[index]!
            return (
              <WindowedRow
                key={index % slots}
                id={`${id}-${index}`}
                index={index}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                sizes={sizes}
                selected={selected?.has(rowId(row))}
                current={focused && index === current}
                opens={Boolean(onOpen)}
                onPress={(event) => {
                  setAt(index)
                  if ((event.ctrlKey || event.metaKey) && onSelect) onSelect(row)
                  else if (!(event.target as Element).closest('a, button, input, label')) onOpen?.(row)
                }}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}

function HeadCell<Row>({
  column,
  size,
  sort,
  onSort,
}: {
  column: Column<Row>
  size: { flex: string }
  sort: string
  onSort?: (sort: string) => void
}) {
  const { sorted, head } = sortHead(column, sort, onSort)
  return (
    <div role="columnheader" style={size} aria-sort={sorted} data-numeric={column.numeric ? '' : undefined}>
      {head}
    </div>
  )
}

type RowProps = {
  id: string
  index: number
  row: unknown
  columns: readonly Column<unknown>[]
  sizes: readonly { flex: string }[]
  selected: boolean | undefined
  current: boolean
  opens: boolean
  onPress: (event: React.MouseEvent) => void
}

// A row that is still visible after a scroll is not drawn again; what it does on a press may be of the frame before.
const WindowedRow = memo(
  function WindowedRow({ id, index, row, columns, sizes, selected, current, opens, onPress }: RowProps) {
    return (
      <div
        id={id}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={selected}
        data-current={current ? '' : undefined}
        className={cx('windowed-row', opens && 'cursor-pointer')}
        // Each at its own place: one that stays visible is not even painted again.
        style={{ top: index * rowHeight }}
        onClick={onPress}
      >
        {columns.map((column, place) => (
          <div key={column.id} role="gridcell" style={sizes[place]} data-numeric={column.numeric ? '' : undefined}>
            {column.cell(row)}
          </div>
        ))}
      </div>
    )
  },
  (before, after) =>
    before.row === after.row &&
    before.index === after.index &&
    before.columns === after.columns &&
    before.selected === after.selected &&
    before.current === after.current
)
