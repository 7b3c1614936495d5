import { useQuery } from '@tanstack/react-query'
import { listFeeds, type Feed } from '@masthead/contract/backoffice/feed-operations'
import { FileUp, KeyRound, MoreHorizontal, Pencil, Plus, Power, PowerOff, Scale } from 'lucide-react'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { BackofficeEnd } from '../backoffice/index.ts'
import { senderSeen, senderState } from '../kit/sender-columns.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { Differences } from './Differences.tsx'
import { FeedDialogs, type FeedDialog } from './FeedDialogs.tsx'
import { FeedFiles } from './FeedFiles.tsx'
import { UploadFile } from './UploadFile.tsx'

const columns: Column<Feed>[] = [
  {
    id: 'name',
    header: 'Feed',
    list: 'title',
    shape: 'two',
    cell: ({ name, key_prefix, folder_failure }) => (
      <TwoLines
        first={<span className="font-medium">{name}</span>}
        second={
          folder_failure ? (
            <span className="whitespace-normal text-bad-fg">{folder_failure.words}</span>
          ) : (
            <span className="mono">{key_prefix}…</span>
          )
        }
      />
    ),
  },
  senderState,
  {
    id: 'folder',
    header: 'Folder',
    width: 160,
    drop: 1,
    cell: ({ folder }) => (folder ? <span className="mono">{folder}</span> : <span className="not-in-list text-fg-3">—</span>),
  },
  senderSeen,
]

const tabs = [
  { id: 'feeds', label: 'Feeds' },
  { id: 'files', label: 'Files' },
  { id: 'differences', label: 'Differences' },
] as const
type TabId = (typeof tabs)[number]['id']
const defaults = { tab: 'feeds', feed: '', file: '', days: '7' }

/** Where usage comes from beside RADIUS. */
export default function FeedsScreen() {
  const [place, change] = useAddressState(defaults)
  const tab: TabId = tabs.find(({ id }) => id === place.tab)?.id ?? 'feeds'
  const { data, error, refetch } = useQuery({ ...q(listFeeds, {}), refetchInterval: 15_000 })
  const [dialog, setDialog] = useState<FeedDialog | null>(null)
  const [uploading, setUploading] = useState<{ feed_id: string } | null>(null)
  const feeds = data?.items ?? []
  const add = () => setDialog({ show: 'add' })
  const none = feeds.every(({ state }) => state === 'disabled') ? 'Add a feed first' : null
  return (
    <>
      <BackofficeEnd>
        <Button icon={FileUp} disabled={none} onClick={() => setUploading({ feed_id: '' })}>
          Upload file
        </Button>
        <Button color="primary-solid" icon={Plus} onClick={add}>
          Add feed
        </Button>
      </BackofficeEnd>
      <Tabs<TabId>
        label="Feeds"
        current={tab}
        onChange={(id) => change({ ...defaults, tab: id, feed: place.feed }, { push: true })}
        tabs={tabs}
      />
      <TabPanel id={tab}>
        {tab === 'files' ? (
          <FeedFiles feeds={feeds} open={place.file} onOpen={(file) => change({ file }, { push: true })} />
        ) : tab === 'differences' ? (
          <Differences feeds={data?.items} feed={place.feed} days={place.days} onChange={(patch) => change(patch)} />
        ) : (
          <TableFrame>
            {error && !data ? (
              <ErrorState title="The feeds could not be loaded" failure={error} onRetry={() => void refetch()} />
            ) : (
              <Table
                label="Feeds"
                columns={columns}
                rows={data?.items}
                skeletonRows={4}
                rowId={(row) => row.id}
                more={(feed) => (
                  <Actions
                    feed={feed}
                    onChoose={setDialog}
                    onUpload={() => setUploading({ feed_id: feed.id })}
                    onCompare={() => change({ tab: 'differences', feed: feed.id }, { push: true })}
                  />
                )}
                empty={
                  <EmptyState title="No data found" actions={<Button onClick={add}>Add feed</Button>}>
                    A feed reports usage beside RADIUS: a program that sends records, or files of CDRs. It counts for SIMs of which no
                    gateway reports, and is compared for the others.
                  </EmptyState>
                }
              />
            )}
            {data && <TableFoot words={showingWords(1, data.items.length, data.items.length, false)} />}
          </TableFrame>
        )}
      </TabPanel>
      {dialog && <FeedDialogs dialog={dialog} directory={data?.directory ?? null} onChange={setDialog} />}
      {uploading && (
        <UploadFile
          feeds={feeds}
          feed_id={uploading.feed_id}
          onClose={() => setUploading(null)}
          onOpen={(file) => change({ tab: 'files', file }, { push: true })}
        />
      )}
    </>
  )
}

type ActionsProps = { feed: Feed; onChoose: (dialog: FeedDialog) => void; onUpload: () => void; onCompare: () => void }

function Actions({ feed, onChoose, onUpload, onCompare }: ActionsProps) {
  const off = feed.state === 'disabled'
  return (
    <Menu
      trigger={<IconButton label={`Actions for ${feed.name}`} icon={MoreHorizontal} size="small" />}
      label="Actions"
      align="end"
      items={[
        { label: 'Upload file', icon: FileUp, disabled: off ? 'It is switched off' : null, onSelect: onUpload },
        { label: 'See differences', icon: Scale, onSelect: onCompare },
        { label: 'Change', icon: Pencil, onSelect: () => onChoose({ show: 'change', feed }) },
        { label: 'New key', icon: KeyRound, danger: true, onSelect: () => onChoose({ show: 'rotate', feed }) },
        off
          ? { label: 'Switch on', icon: Power, onSelect: () => onChoose({ show: 'switch', feed }) }
          : { label: 'Switch off', icon: PowerOff, danger: true, onSelect: () => onChoose({ show: 'switch', feed }) },
      ]}
    />
  )
}
