import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CsvValue } from './csv.ts'
import { cx } from './cx.ts'
import { EmptyState } from './EmptyState.tsx'
import { fitDrops, neededWidth } from './fit-columns.ts'
import { Icon } from './Icon.tsx'
import { Skeleton } from './Skeleton.tsx'

/** One column, at module scope: what its head says, how wide it is, and what becomes of it where there is little room. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The server's name of the order; without it the column does not sort. */
  sort?: string
  /** The first click sorts from the largest. */
  descendingFirst?: boolean
  numeric?: boolean
  /** Pixels; without it the column takes what is left. */
  width?: number
  /** Always shown: not in the column chooser. */
  fixed?: boolean
  /** Shown only once it is chosen. */
  optional?: boolean
  /** Leaves when the table is narrow and has no room for it: 0 first, 4 last. */
  drop?: 0 | 1 | 2 | 3 | 4
  /** Its place when the table is a list (under 640 px); without one it is not shown there. */
  list?: 'title' | 'aside' | 'below'
  /** What it says means nothing without its head: that stands before it in a list. */
  listHead?: boolean
  /** The shape of its skeleton. */
  shape?: 'two' | 'one' | 'bar'
  /** Its value in a CSV file; without it the column is not in one. */
  csv?: (row: Row) => CsvValue
}

/** Two lines in a cell: the thing, and smaller what is to be said about it. */
export function TwoLines({ first, second, className }: { first: ReactNode; second?: ReactNode; className?: string }) {
  return (
    <span className={cx('grid min-w-0', className)}>
      <span className="truncate">{first}</span>
      {second !== undefined && second !== null && <span className="truncate text-xs text-fg-3">{second}</span>}
    </span>
  )
}

/** `-name` is the same order the other way round. */
export const nextSort = (column: Pick<Column<never>, 'sort' | 'descendingFirst'>, now: string) => {
  const key = column.sort!
  if (now === key) return `-${key}`
  if (now === `-${key}`) return key
  return column.descendingFirst ? `-${key}` : key
}

/** How a column is sorted now, for `aria-sort`, and what its head shows: a button where the table can be sorted by it. */
export function sortHead(
  column: Pick<Column<never>, 'header' | 'sort' | 'descendingFirst'>,
  sort: string,
  onSort: ((sort: string) => void) | undefined
) {
  const on = column.sort && (sort === column.sort || sort === `-${column.sort}`)
  const descending = sort.startsWith('-')
  const sorted: 'ascending' | 'descending' | undefined = on ? (descending ? 'descending' : 'ascending') : undefined
  if (!column.sort || !onSort) return { sorted, head: column.header }
  const head = (
    <button type="button" className="table-sort" onClick={() => onSort(nextSort(column, sort))}>
      {column.header}
      <Icon of={(on ? descending : column.descendingFirst) ? ArrowDown : ArrowUp} size={12} />
    </button>
  )
  return { sorted, head }
}

/** The frame of a table and its foot; what is in it answers to its width. `plain` is without a line around. */
export function TableFrame({ plain, children }: { plain?: boolean; children: ReactNode }) {
  return (
    <div className="table-wrap" data-plain={plain ? '' : undefined}>
      {children}
    </div>
  )
}

/** A column, and when it leaves in this table (table.css). */
type Fitted<Row> = Omit<Column<Row>, 'drop'> & { drop?: number | undefined }

type HeadProps<Row> = {
  columns: readonly Fitted<Row>[]
  sort?: string
  onSort?: (sort: string) => void
  before?: ReactNode
  after?: boolean
}

function TableHead<Row>({ columns, sort = '', onSort, before, after }: HeadProps<Row>) {
  return (
    <>
      <colgroup>
        {before && <col style={{ width: 44 }} />}
        {columns.map((column) => (
          <col key={column.id} data-drop={column.drop} style={column.width ? { width: column.width } : undefined} />
        ))}
        {after && <col style={{ width: 48 }} />}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {before}
          {columns.map((column) => {
            const { sorted, head } = sortHead(column, sort, onSort)
            return (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                data-drop={column.drop}
                data-numeric={column.numeric ? '' : undefined}
                aria-sort={sorted}
              >
                {head}
              </th>
            )
          })}
          {after && (
            <th role="columnheader" scope="col">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  )
}

export type RowParts<Row> = {
  rowId: (row: Row) => string
  /** Which rows are greyed: they do not count as the others do. */
  muted?: (row: Row) => boolean
  /** Ticks before each row. */
  selection?: { selected: ReadonlySet<string>; head: ReactNode; check: (row: Row) => ReactNode }
  /** What stands at the end of each row. */
  more?: (row: Row) => ReactNode
  onOpen?: (row: Row) => void
}

/** The table itself: `rows` undefined shows skeletons; an empty one shows `empty` below its head. */
export function Table<Row>({
  label,
  columns: given,
  rows,
  stale = false,
  compact = false,
  skeletonRows = 10, // spec §9
  empty = <EmptyState title="No data found" />,
  sort,
  onSort,
  rowId,
  muted,
  selection,
  more,
  onOpen,
}: RowParts<Row> & {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  /** Another answer is on its way; these rows are of the one before. */
  stale?: boolean
  compact?: boolean
  skeletonRows?: number
  /** In the place of rows when there are none: "No data found" unless given (spec §8). */
  empty?: ReactNode
  sort?: string
  onSort?: (sort: string) => void
}) {
  // Optional columns come on top of what fits: then the table scrolls sideways rather than squeeze them all.
  const wide = given.some((column) => column.optional)
  const beside = (selection ? 44 : 0) + (more ? 48 : 0)
  const drops = wide ? null : fitDrops(given, beside)
  const columns: readonly Fitted<Row>[] = drops ? given.map((column, place) => ({ ...column, drop: drops[place] })) : given
  return (
    <>
      <table
        role="table"
        aria-label={label}
        aria-busy={stale || rows === undefined}
        className="table"
        data-compact={compact ? '' : undefined}
        data-selectable={selection ? '' : undefined}
        {...(wide && { 'data-wide': '', style: { '--table-least': `${neededWidth(given, beside)}px` } as React.CSSProperties })}
      >
        <TableHead
          columns={columns}
          {...(sort !== undefined && { sort })}
          {...(onSort && { onSort })}
          after={Boolean(more)}
          before={
            selection && (
              <th role="columnheader" scope="col">
                {selection.head}
              </th>
            )
          }
        />
        <tbody role="rowgroup" data-stale={stale ? '' : undefined}>
          {rows?.map((row) => (
            <tr
              key={rowId(row)}
              role="row"
              aria-selected={selection ? selection.selected.has(rowId(row)) : undefined}
              data-muted={muted?.(row) ? '' : undefined}
              data-opens={onOpen ? '' : undefined}
              onClick={onOpen && ((event) => opensRow(event) && onOpen(row))}
            >
              {selection && (
                <td role="cell" data-cell="check">
                  {selection.check(row)}
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.id}
                  role="cell"
                  data-drop={column.drop}
                  data-list={column.list}
                  data-head={column.listHead ? column.header : undefined}
                  data-numeric={column.numeric ? '' : undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
              {more && (
                <td role="cell" data-cell="more">
                  {more(row)}
                </td>
              )}
            </tr>
          ))}
          {rows === undefined &&
            Array.from({ length: skeletonRows }, (_, line) => (
              <SkeletonRow key={line} line={line} columns={columns} check={Boolean(selection)} more={Boolean(more)} />
            ))}
        </tbody>
      </table>
      {rows?.length === 0 && empty}
    </>
  )
}

/** A press on a row opens it, but not one on something in the row, nor the end of marking its text. */
export const opensRow = (event: React.MouseEvent<HTMLElement>) =>
  !(event.target as Element).closest('a, button, input, label, [popover]') && getSelection()?.isCollapsed !== false

const widths = ['w-3/5', 'w-1/2', 'w-2/3', 'w-2/5', 'w-3/4']

function SkeletonRow<Row>({
  columns,
  line,
  check,
  more,
}: {
  columns: readonly Fitted<Row>[]
  line: number
  check: boolean
  more: boolean
}) {
  return (
    <tr role="row" aria-hidden>
      {check && (
        <td data-cell="check">
          <Skeleton className="size-4" />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} data-drop={column.drop} data-list={column.list} data-numeric={column.numeric ? '' : undefined}>
          <Skeleton className={cx(widths[(line + index) % widths.length], 'min-w-8', column.numeric && 'ml-auto')} />
          {column.shape && column.shape !== 'one' && <Skeleton className={cx('mt-2', column.shape === 'bar' ? 'h-1.5' : 'h-2 w-4/5')} />}
        </td>
      ))}
      {more && <td data-cell="more" />}
    </tr>
  )
}

/** The table of a list that is not paged: of a panel, of a dialog. Without a frame of its own. */
export function PlainTable<Row>(props: Parameters<typeof Table<Row>>[0]) {
  return (
    <TableFrame plain>
      <Table {...props} />
    </TableFrame>
  )
}
