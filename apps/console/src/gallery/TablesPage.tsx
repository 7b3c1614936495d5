import { pageSize } from '@masthead/contract/kernel/page'
import { Download, MoreHorizontal, Power, Radio, Tag } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ColumnChooser, visibleColumns } from '../kit/ViewOptions.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Panel } from '../ui/Panel.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SelectionBar } from '../ui/SelectionBar.tsx'
import { PlainTable, Table, TableFrame } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { tableCsv } from '../ui/table-csv.ts'
import { isSelected, useSelected } from '../ui/use-selected.ts'
import { WindowedTable } from '../ui/WindowedTable.tsx'
import { Grid, Section } from './Specimen.tsx'
import { sampleColumns, samples, sorted, windowedColumns, type Sample } from './table-samples.tsx'

const all = samples(47)
const rowId = (row: Sample) => row.id

export function TablesPage() {
  return (
    <>
      <Section
        title="Table"
        about="Ten rows a page. The head stays in sight, ticks stay from page to page; with the page ticked whole, all that match can be taken."
      >
        <Whole />
      </Section>
      <Grid>
        <Section title="On its way">
          <TableFrame>
            <Table label="Assets on their way" columns={sampleColumns.slice(0, 2)} rows={undefined} rowId={rowId} skeletonRows={3} />
          </TableFrame>
        </Section>
        <Section title="Nothing there">
          <TableFrame>
            <Table label="No assets" columns={sampleColumns.slice(0, 2)} rows={[]} rowId={rowId} />
            <TableFoot words={showingWords(1, 0, 0, false)} />
          </TableFrame>
        </Section>
        <Section title="Not loaded">
          <TableFrame>
            <ErrorState
              title="The list could not be loaded"
              failure={{ detail: 'The server did not answer.', request_id: 'req_01hqz3' }}
              kept="Your filters are kept in the address."
              onRetry={() => undefined}
            />
          </TableFrame>
        </Section>
        <Section title="In a panel, compact">
          <Panel title="Top consumers" flush>
            <PlainTable label="Top consumers" columns={sampleColumns.slice(0, 2)} rows={all.slice(0, 3)} rowId={rowId} compact />
          </Panel>
        </Section>
      </Grid>
      <Section title="In a narrow place" about="Below 640 px a table is a list of rows; a screen reader still hears a table.">
        <div className="max-w-90">
          <TableFrame>
            <Table label="Assets as a list" columns={sampleColumns} rows={all.slice(0, 2)} rowId={rowId} />
          </TableFrame>
        </div>
      </Section>
    </>
  )
}

function Whole() {
  const [sort, setSort] = useState('name')
  const [page, setPage] = useState(1)
  const [columns, setColumns] = useState<string[]>([])
  const [opened, setOpened] = useState('')
  const rows = sorted(all, sort)
  const shown = rows.slice((page - 1) * pageSize, page * pageSize)
  const ticks = useSelected(shown.map(rowId), rows.length)
  const drawn = visibleColumns(sampleColumns, columns)
  const lastPage = Math.ceil(rows.length / pageSize)
  return (
    <div className="pb-14">
      <div className="flex items-center justify-end gap-1 pb-3">
        <output aria-label="Opened" className="mr-auto text-fg-3">
          {opened}
        </output>
        <ColumnChooser columns={sampleColumns} chosen={columns} onChange={setColumns} />
        <Button icon={Download} onClick={() => saveFile('assets.csv', tableCsv(drawn, rows))}>
          CSV
        </Button>
      </div>
      <TableFrame>
        <Table
          label="Assets"
          columns={drawn}
          rows={shown}
          rowId={rowId}
          sort={sort}
          onSort={setSort}
          onOpen={(row) => setOpened(row.name)}
          selection={{
            selected: ticks.onPage,
            head: (
              <Checkbox
                aria-label="Select all on this page"
                className="align-middle"
                checked={ticks.pageState === 'all'}
                mixed={ticks.pageState === 'some'}
                onChange={({ target }) => ticks.togglePage(target.checked)}
              />
            ),
            check: (row) => (
              <Checkbox
                aria-label={`Select ${row.name}`}
                className="align-middle"
                checked={isSelected(ticks.selected, row.id)}
                onChange={({ target }) => ticks.toggle(row.id, target.checked)}
              />
            ),
          }}
          more={(row) => (
            <Menu
              trigger={<IconButton label={`Actions for ${row.name}`} icon={MoreHorizontal} size="small" />}
              label="Actions"
              align="end"
              items={[
                { label: 'Open', icon: Radio, onSelect: () => setOpened(row.name) },
                { label: 'Deactivate SIM', icon: Power, danger: true, onSelect: () => setOpened(`${row.name}, deactivated`) },
              ]}
            />
          )}
        />
        <TableFoot
          words={showingWords((page - 1) * pageSize + 1, shown.length, rows.length, false)}
          onBack={page > 1 ? () => setPage(page - 1) : null}
          onNext={page < lastPage ? () => setPage(page + 1) : null}
        />
      </TableFrame>
      <SelectionBar count={ticks.count} total={rows.length} onAll={ticks.pageState === 'all' ? ticks.all : null} onClear={ticks.clear}>
        <Button color="on-ink" size="small" icon={Tag} onClick={() => setOpened(`${ticks.count} tagged`)}>
          Tag
        </Button>
      </SelectionBar>
    </div>
  )
}

export function WindowedPage() {
  const [sort, setSort] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState('')
  const rows = useMemo(() => {
    const many = samples(100_000)
    return sort ? sorted(many, sort) : many
  }, [sort])
  return (
    <Section
      title="100,000 rows"
      about="Only the rows in sight are drawn. One stop for Tab: arrow keys, Page Up and Down, Home and End walk the rows; Space ticks, Enter opens."
    >
      <WindowedTable
        label="All assets"
        columns={windowedColumns}
        rows={rows}
        rowId={rowId}
        height={480}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={(row) => setSelected(new Set(selected.has(row.id) ? [...selected].filter((id) => id !== row.id) : [...selected, row.id]))}
        onOpen={(row) => setOpened(row.name)}
      />
      <p className="text-fg-3">
        <output aria-label="Opened">{opened}</output> {selected.size} ticked
      </p>
      <WindowedTable label="No rows" columns={windowedColumns} rows={[]} rowId={rowId} height={200} />
    </Section>
  )
}
