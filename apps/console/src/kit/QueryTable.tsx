import { useQuery } from '@tanstack/react-query'
import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import { countCap, pageSize, type Page } from '@masthead/contract/kernel/page'
import { Search } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Failure } from '../api/client.ts'
import { q } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { SearchField, type Suggesting } from '../ui/SearchField.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Table, TableFrame, type Column } from '../ui/Table.tsx'
import { TableFoot } from '../ui/TableFoot.tsx'
import { FilterButton } from './FilterButton.tsx'
import { filterWords, type Filter } from './filters.ts'
import { FreshRows } from './FreshRows.tsx'
import { LiveMark } from './LiveMark.tsx'
import { PageJump, PageWords } from './PageJump.tsx'
import { withCondition, type QueryLine } from './query-line.ts'
import { RowMenu } from './RowMenu.tsx'
import { SelectedRows, useSelection, type BulkAction, type Ticked } from './selection.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useSteadyRows } from './use-steady-rows.ts'
import { useTableAddress } from './use-table-address.ts'
import { ColumnChooser, PageSize, SortMenu, visibleColumns } from './ViewOptions.tsx'

/** An operation that answers a page of rows. */
type ListOperation<Row> = Operation & { reply: { _zod: { output: Page<Row> } } }

export type QueryTableProps<Row, Op extends Operation> = {
  operation: Op & ListOperation<Row>
  /** Path parameters and fixed parts of the query; page, sort, search and filters come from the address. */
  input?: { params?: Record<string, string>; query?: Record<string, unknown> }
  /** What it lists, as a noun: "Assets". Names the table. */
  label: string
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  /** What a row is called, for the names of its tick and its actions. */
  rowName?: (row: Row) => string
  /** Where a row leads. */
  rowHref?: (row: Row) => string
  rowActions?: (row: Row) => MenuItem[]
  /** Actions on the rows ticked; without them there are no ticks. As a function they also take all that match, and it draws them. */
  bulkActions?: readonly BulkAction<Row>[] | ((ticked: Ticked) => ReactNode)
  filters?: readonly Filter[]
  /** The search's placeholder: what it looks in. Without it there is no search. */
  search?: string
  /** The search takes conditions as well. */
  line?: QueryLine
  /** What the search suggests while one types. */
  suggest?: Suggesting
  /** True where what is pasted into the search is taken otherwise. */
  onPaste?: (text: string) => boolean
  defaultSort?: string
  /** So many rows can be reached by the number of a page in this order, where nothing is left out. */
  deepest?: (sort: string) => number
  /** Shown when there is nothing at all, without any filter: what the thing is, and the first step. */
  empty?: ReactNode
  /** More of the toolbar, at its right end; as a function it is given the answer that is shown, without what waits to be taken. */
  actions?: ReactNode | ((seen: Reply<Op> | undefined) => ReactNode)
  /** Shows that the list is kept up to date. */
  live?: boolean
  /** After how many milliseconds the list is asked again, given its rows: for changes without an event. */
  again?: (rows: readonly Row[]) => number | false
  /** A name under which this browser remembers the chosen columns and page size. */
  remember?: string
  /** In front of its keys in the address, where a screen has several. */
  prefix?: string
  plain?: boolean
  /** Rows of another kind before those of the first page, greyed, and what the foot says of them. Undefined rows are still to come. */
  lead?: { rows: readonly Row[] | undefined; words: ReactNode } | undefined
  /** What stands below: drawn with the answer, because until then the list is as high as a whole page, and this would move. */
  below?: ReactNode
}

/** A list of the API as a table: its page, order, filters, search and columns are in the address. */
export function QueryTable<Row, Op extends Operation>(props: QueryTableProps<Row, Op>) {
  const {
    operation,
    input = {},
    label,
    columns,
    rowId,
    rowHref,
    rowActions,
    bulkActions,
    filters = [],
    search,
    line,
    defaultSort = '',
    prefix = '',
  } = props
  const address = useTableAddress({ ...props, prefix, defaultSort, filters: filters.filter((filter) => !filter.inLine) })
  const { page, size, after, sort, search: searched, refine, change } = address
  const read = line?.read(searched)
  const refined = {
    ...(searched && !read?.mistake && { [line?.param ?? 'search']: searched }),
    ...Object.fromEntries(Object.entries(address.filters).filter(([, value]) => value.length > 0)),
  }
  const question = {
    ...(input.params && { params: input.params }),
    query: { ...input.query, ...(after ? { after } : { page }), page_size: size, ...(sort && { sort }), ...refined },
  }
  const { data, error, isPlaceholderData, isFetching, dataUpdatedAt, refetch } = useQuery({
    ...q(operation as Operation, question as Input<Operation>),
    enabled: !read?.mistake,
    refetchInterval: ({ state }) => props.again?.((state.data as Page<Row> | undefined)?.items ?? []) ?? false,
  })
  const answer = data as Reply<ListOperation<Row>> as Page<Row> | undefined
  const failure = error as Failure | null
  const steady = useSteadyRows({
    rows: props.live ? answer?.items : undefined,
    answer,
    rowId,
    question: isPlaceholderData ? null : JSON.stringify(question),
    fetching: isFetching,
    updatedAt: dataUpdatedAt,
  })
  const rows = steady.rows ?? answer?.items ?? (read?.mistake ? [] : undefined)
  const lead = page === 1 && !after ? props.lead : undefined
  const total = answer?.total ?? 0
  const capped = answer?.total_capped ?? false
  const takesAll = typeof bulkActions === 'function'
  const selection = useSelection({ page: rows, total, capped, rowId, rowName: props.rowName, query: refined, takesAll })
  const navigate = useNavigate()
  const rowKeys = useRowKeys(!prefix)

  // Rows may go while one reads the last page: then the one before it is the last.
  const beyond = answer && !isPlaceholderData && answer.items.length === 0 && page > 1 && !after
  const lastPage = answer ? Math.max(1, Math.ceil(answer.total / size)) : 1
  useEffect(() => {
    if (beyond) change({ page: Math.min(page - 1, lastPage) })
  })

  const inLine = Object.fromEntries((read?.conditions ?? []).map(({ key, values }) => [key, values]))
  const setFilter = (key: string, value: string | string[]) =>
    line && (key in inLine || filters.some((filter) => filter.key === key && filter.inLine))
      ? refine({ search: withCondition(line, searched, key, [value].flat().filter(Boolean)) })
      : refine({ [key]: value })
  const chips = [
    ...(read?.conditions ?? []).map(({ key, label: of, value }) => ({ key, label: of, words: { verb: 'is', value }, none: [] })),
    ...filters.flatMap((filter) => {
      const words = filter.inLine ? null : filterWords(filter, address.filters[filter.key])
      return words ? [{ key: filter.key, label: filter.label, words, none: filter.multiple ? [] : '' }] : []
    }),
  ]
  const shown = visibleColumns(columns, address.columns)
  const mayChoose = columns.some((column) => column.optional)
  const hasTools = Boolean(search || filters.length > 0 || props.live || mayChoose || props.actions)
  const first = (page - 1) * size + 1
  const mayGoOn = answer !== undefined && answer.next !== null && answer.items.length > 0
  // Whole and in an order that an index has, a list can be turned to far pages by their numbers; else only from one to the next.
  const reach = !capped && !chips.length && !searched ? Math.max(countCap, props.deepest?.(sort) ?? 0) : countCap
  const pages = Math.floor(Math.min(total, reach - (reach % size)) / size + (total <= reach && total % size ? 1 : 0))
  const next = () => change({ page: page + 1, ...((page + 1) * size > reach && { after: answer!.next! }) }, { push: true })
  const back = () => change({ page: Math.min(page - 1, Math.max(1, pages)), after: '' }, { push: true })

  return (
    <div className="@container/list" ref={rowKeys}>
      <div className={cx('flex flex-wrap items-center gap-2', hasTools && 'pb-3')}>
        {search && (
          <div className={cx('min-w-44 flex-1', line ? '@sm/list:max-w-120' : '@sm/list:max-w-75')}>
            <SearchField
              value={searched}
              onChange={(text) => refine({ search: text.trim() })}
              label={`Search ${label.toLowerCase()}`}
              placeholder={search}
              {...(line && { longest: line.longest })}
              {...(props.suggest && { suggesting: props.suggest })}
              {...(props.onPaste && { onPaste: props.onPaste })}
              hotkey
            />
          </div>
        )}
        {filters.length > 0 && (
          <FilterButton
            filters={filters}
            values={{ ...address.filters, ...inLine }}
            onChange={(patch) => Object.entries(patch).forEach(([key, value]) => setFilter(key, value))}
          />
        )}
        {columns.some((column) => column.sort) && (
          <span className="@sm/list:hidden">
            <SortMenu columns={columns} sort={sort} onSort={(to) => refine({ sort: to })} />
          </span>
        )}
        {(props.live || props.actions || columns.some((column) => column.optional)) && (
          <span className="ml-auto flex flex-wrap items-center justify-end gap-1">
            {props.live && (
              <span className="mr-2 inline-flex items-center gap-3">
                <FreshRows count={steady.fresh} onTake={steady.take} />
                <LiveMark />
              </span>
            )}
            {mayChoose && (
              <span className="hidden @sm/list:inline">
                <ColumnChooser columns={columns} chosen={address.columns} onChange={(ids) => change({ columns: ids })} />
              </span>
            )}
            {typeof props.actions === 'function' ? props.actions(steady.seen as Reply<Op> | undefined) : props.actions}
          </span>
        )}
      </div>
      {read?.mistake && (
        <p role="status" className="pb-3 text-sm text-bad-fg">
          {read.mistake}.
        </p>
      )}
      {chips.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 pb-3">
          {chips.map(({ key, label: of, words, none }) => (
            <FilterChip key={key} label={of} {...words} onRemove={() => setFilter(key, none)} />
          ))}
          <Button color="ghost" size="small" onClick={address.clear}>
            Clear
          </Button>
        </div>
      )}
      <TableFrame {...(props.plain && { plain: true })}>
        {failure && !answer ? (
          <ErrorState
            title="The list could not be loaded"
            failure={failure}
            {...((chips.length > 0 || searched) && { kept: 'Your filters are kept in the address.' })}
            onRetry={() => void refetch()}
          />
        ) : (
          <Table
            label={label}
            columns={shown}
            rows={lead ? rows && lead.rows && [...lead.rows, ...rows] : rows}
            {...(lead?.rows && { muted: (row: Row) => lead.rows!.includes(row) })}
            stale={isPlaceholderData}
            skeletonRows={size}
            rowId={rowId}
            sort={sort}
            onSort={(to) => refine({ sort: to })}
            {...(rowHref && { onOpen: (row: Row) => void navigate(rowHref(row)) })}
            {...(rowActions && { more: (row: Row) => <RowMenu items={rowActions(row)} of={props.rowName?.(row)} /> })}
            {...(bulkActions && { selection: selection.parts })}
            empty={
              chips.length > 0 || searched ? (
                <EmptyState icon={Search} title="No data found" actions={<Button onClick={address.clear}>Clear filters</Button>}>
                  {read?.mistake ? 'Nothing is asked, because the search cannot be read: ' : 'Nothing matches '}
                  {[
                    searched && `“${searched}”`,
                    ...chips.slice(read?.conditions.length ?? 0).map(({ label: of, words }) => `${of} ${words.verb} ${words.value}`),
                  ]
                    .filter(Boolean)
                    .join(' and ')}
                  .
                </EmptyState>
              ) : (
                (props.empty ?? <EmptyState title="No data found" />)
              )
            }
          />
        )}
        {!(failure && !answer) && (
          <TableFoot
            key={answer ? 'here' : 'coming'}
            words={
              answer ? <PageWords page={answer} first={first} count={rows!.length} beside={lead?.words} /> : <Skeleton className="w-36" />
            }
            onBack={page > 1 ? back : null}
            onNext={mayGoOn ? next : null}
          >
            {/* In a narrow foot it stands beside the words, and the way on below them. */}
            {answer && answer.total > pageSize && <PageSize size={size} onChange={(count) => refine({ size: count })} />}
            {pages > 2 && (
              <PageJump
                page={page}
                pages={pages}
                all={capped ? null : lastPage}
                onJump={(to) => change({ page: to, after: '' }, { push: true })}
              />
            )}
          </TableFoot>
        )}
      </TableFrame>
      {bulkActions && (
        <SelectedRows
          selection={selection}
          total={total}
          totalWords={`${total.toLocaleString('en')}${capped ? '+' : ''}`}
          actions={bulkActions}
        />
      )}
      {(answer || failure) && props.below}
    </div>
  )
}
