import { useQuery } from '@tanstack/react-query'
import { getFeedFile, listFeedFiles, type FeedFile } from '@masthead/contract/backoffice/feed-file-operations'
import type { Feed } from '@masthead/contract/backoffice/feed-operations'
import { q } from '../api/query.ts'
import { BesideLink } from '../kit/BesideLink.tsx'
import { Bytes } from '../kit/Bytes.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'

const looks = {
  arriving: { status: 'pending', label: 'Arriving' },
  waiting: { status: 'pending', label: 'Waiting' },
  reading: { status: 'busy', label: 'Being read' },
  done: { status: 'done', label: 'Read' },
  failed: { status: 'failed', label: 'Failed' },
} as const

const figure = (count: number) => count.toLocaleString('en')
const goesOn = ({ state }: FeedFile) => state === 'waiting' || state === 'reading'

const columns: Column<FeedFile>[] = [
  {
    id: 'name',
    header: 'File',
    list: 'title',
    fixed: true,
    shape: 'two',
    cell: ({ id, name, feed }) => (
      <TwoLines
        first={
          <BesideLink name="file" value={id}>
            <span className="font-medium">{name}</span>
          </BesideLink>
        }
        second={feed}
      />
    ),
  },
  { id: 'state', header: 'State', width: 130, list: 'aside', cell: ({ state }) => <StatusDot {...looks[state]} /> },
  { id: 'counted', header: 'Counted', width: 100, numeric: true, drop: 2, cell: ({ counted }) => figure(counted) },
  { id: 'compared', header: 'Compared', width: 110, numeric: true, drop: 2, cell: ({ compared }) => figure(compared) },
  {
    id: 'wrong',
    header: 'Wrong lines',
    width: 110,
    numeric: true,
    list: 'below',
    cell: ({ wrong }) => (
      <>
        {figure(wrong)}
        <span className="only-list"> wrong {wrong === 1 ? 'line' : 'lines'}</span>
      </>
    ),
  },
  { id: 'size', header: 'Size', width: 100, numeric: true, drop: 2, cell: ({ size_bytes }) => <Bytes of={size_bytes} /> },
  { id: 'added', header: 'Added', width: 120, numeric: true, drop: 1, cell: ({ added_at }) => <RelativeTime at={added_at} /> },
]

type Props = { feeds: readonly Feed[]; open: string; onOpen: (file_id: string) => void }

/** Files that were uploaded or found in a folder, and how far they are read. */
export function FeedFiles({ feeds, open, onOpen }: Props) {
  const filters: Filter[] = [
    { key: 'feed', label: 'Feed', options: feeds.map(({ id, name }) => ({ value: id, label: name })) },
    { key: 'state', label: 'State', options: Object.entries(looks).map(([value, { label }]) => ({ value, label })) },
  ]
  return (
    <>
      <QueryTable
        operation={listFeedFiles}
        label="Files"
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        filters={filters}
        again={(rows) => (rows.some(goesOn) ? 2000 : 15_000)}
        remember="masa-feed-files"
        empty={
          <EmptyState title="No data found">
            Upload a file of CDRs, or give a feed a folder below MASTHEAD_CDR_DIR: CSV files there are read within a minute.
          </EmptyState>
        }
      />
      {open !== '' && <FileSheet id={open} onClose={() => onOpen('')} />}
    </>
  )
}

type WrongLine = { line: number; words: string }
const errorColumns: Column<WrongLine>[] = [
  { id: 'line', header: 'Line', width: 80, numeric: true, list: 'aside', cell: ({ line }) => figure(line) },
  {
    id: 'words',
    header: 'What is wrong',
    list: 'title',
    cell: ({ words }) => <span className="whitespace-normal wrap-anywhere">{words}</span>,
  },
]

function FileSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...q(getFeedFile, { params: { feed_file_id: id } }),
    refetchInterval: ({ state }) => (state.data && goesOn(state.data.file) ? 2000 : false),
  })
  return (
    <Sheet open onClose={onClose} title={data?.file.name ?? 'File'} note={data && `Of the feed ${data.file.feed}`}>
      {error && !data ? (
        <ErrorState title="The file could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Read file={data.file} errors={data.errors} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Sheet>
  )
}

function Read({ file, errors }: { file: FeedFile; errors: readonly WrongLine[] }) {
  return (
    <div className="grid gap-4">
      {file.failure && <Notice tone="bad">{file.failure}</Notice>}
      <Facts>
        <Fact label="State">
          <StatusDot {...looks[file.state]} />
        </Fact>
        <Fact label="Added">
          <RelativeTime at={file.added_at} /> {file.added_by ? `by ${file.added_by}` : 'from the folder'}
        </Fact>
        <Fact label="Lines read">{figure(file.lines_done)}</Fact>
        <Fact label="Counted">{figure(file.counted)}</Fact>
        <Fact label="Compared, another feed counts">{figure(file.compared)}</Fact>
        <Fact label="Duplicates">{figure(file.duplicates)}</Fact>
        <Fact label="In quarantine">{figure(file.quarantined)}</Fact>
        <Fact label="Wrong lines">{figure(file.wrong)}</Fact>
      </Facts>
      {errors.length > 0 && (
        <div className="overflow-auto rounded-lg border border-line">
          <PlainTable label="Wrong lines" columns={errorColumns} rows={errors.slice(0, 200)} rowId={(row) => String(row.line)} />
        </div>
      )}
      {file.wrong > Math.min(errors.length, 200) && (
        <p className="text-xs text-fg-3">The first {figure(Math.min(errors.length, 200))} wrong lines are shown.</p>
      )}
    </div>
  )
}
