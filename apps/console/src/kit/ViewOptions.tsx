import { ArrowDownUp, ChevronDown, Columns3 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Popover } from '../ui/Popover.tsx'
import { nextSort, type Column } from '../ui/Table.tsx'
import { useChosen } from './use-chosen.ts'

/** Which columns are shown: all but the optional ones, unless the address names others. */
export function visibleColumns<Row>(columns: readonly Column<Row>[], chosen: readonly string[]): Column<Row>[] {
  return columns.filter((column) => column.fixed || (chosen.length > 0 ? chosen.includes(column.id) : !column.optional))
}

/** The columns one can choose, and which are on. The answer is empty when it is the usual set. */
export function toggleColumn<Row>(columns: readonly Column<Row>[], chosen: readonly string[], id: string): string[] {
  const now = visibleColumns(columns, chosen).map((column) => column.id)
  const next = columns.map((column) => column.id).filter((one) => (one === id ? !now.includes(id) : now.includes(one)))
  const usual = visibleColumns(columns, []).map((column) => column.id)
  return next.join() === usual.join() ? [] : next
}

/** Which columns a table shows: `chosen` is empty for the usual ones. */
export function ColumnChooser<Row>({
  columns,
  onChange,
  ...props
}: {
  columns: readonly Column<Row>[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const [chosen, choose] = useChosen(props.chosen, onChange)
  const shown = visibleColumns(columns, chosen).map((column) => column.id)
  return (
    <Popover
      trigger={
        <Button color="ghost" icon={Columns3}>
          Columns
        </Button>
      }
      label="Columns"
      align="end"
      className="w-56 p-1"
    >
      <ul>
        {columns
          .filter((column) => !column.fixed)
          .map((column) => (
            <li key={column.id}>
              <Checkbox
                className="option"
                checked={shown.includes(column.id)}
                onChange={() => choose(toggleColumn(columns, chosen, column.id))}
              >
                {column.header}
              </Checkbox>
            </li>
          ))}
      </ul>
      {chosen.length > 0 && (
        <Button color="ghost" size="small" className="mt-1 w-full" onClick={() => choose([])}>
          Reset columns
        </Button>
      )}
    </Popover>
  )
}

/** Where the table is a list there are no heads to click: the order is chosen here. */
export function SortMenu<Row>({
  columns,
  sort,
  onSort,
}: {
  columns: readonly Column<Row>[]
  sort: string
  onSort: (sort: string) => void
}) {
  const sortable = columns.filter((column) => column.sort)
  const now = sortable.find((column) => sort === column.sort || sort === `-${column.sort}`)
  return (
    <Menu
      trigger={<Button icon={ArrowDownUp}>{now?.header ?? 'Sort'}</Button>}
      label="Sort by"
      items={sortable.map((column) => ({ label: column.header, checked: column === now, onSelect: () => onSort(nextSort(column, sort)) }))}
    />
  )
}

/** How many rows a page has. */
export function PageSize({ size, onChange }: { size: number; onChange: (size: number) => void }) {
  const counts = [...new Set([10, 25, 50, 100, size])].sort((a, b) => a - b)
  return (
    <Menu
      trigger={
        <Button color="ghost" size="small" className="text-fg-2">
          {size} rows
          <Icon of={ChevronDown} size={14} className="text-fg-3" />
        </Button>
      }
      label="Rows on a page"
      align="end"
      items={counts.map((count) => ({
        label: `${count} rows`,
        checked: count === size,
        onSelect: () => count !== size && onChange(count),
      }))}
    />
  )
}
