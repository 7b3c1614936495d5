import { formatBytes } from '@masthead/contract/usage/bytes'
import { useQuery } from '@tanstack/react-query'
import type { CleanUp } from '@masthead/contract/registry/retention'
import { getCleanUp, listCleanUps } from '@masthead/contract/registry/retention-operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { FileText, History } from 'lucide-react'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Column } from '../../ui/Table.tsx'
import { tagsWords } from '../registry-words.ts'
import { CheckedTags } from './CheckedTags.tsx'

const columns: Column<CleanUp>[] = [
  { id: 'at', header: 'When', list: 'title', cell: ({ at }) => <RelativeTime at={at} /> },
  { id: 'tags', header: 'Deleted', width: 110, numeric: true, list: 'below', cell: ({ tags }) => tagsWords(tags) },
  { id: 'images', header: 'Images', width: 90, numeric: true, drop: 2, cell: ({ images }) => images.toLocaleString('en') },
  { id: 'freed', header: 'Freed', width: 110, numeric: true, list: 'aside', cell: ({ freed_bytes }) => formatBytes(freed_bytes) },
  { id: 'kept', header: 'Kept', width: 90, numeric: true, drop: 2, cell: ({ kept }) => kept.toLocaleString('en') },
  { id: 'by', header: 'Started by', width: 200, drop: 1, cell: ({ started_by }) => started_by ?? 'The night’s run' },
]

/** Clean-ups that were, the last first. */
export function CleanUps() {
  const [opened, open] = useState<CleanUp | null>(null)
  return (
    <section aria-labelledby="clean-ups">
      <h2 id="clean-ups" className="pb-3 text-sm font-semibold">
        Clean-ups
      </h2>
      <QueryTable
        operation={listCleanUps}
        label="Clean-ups"
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ at }) => formatExactHere(at)}
        rowActions={(cleanUp) => [{ label: 'What was deleted and what was kept', icon: FileText, onSelect: () => open(cleanUp) }]}
        prefix="c-"
        live
        empty={
          <EmptyState icon={History} title="No data found">
            Each clean-up is kept here for a year, with what was deleted, what was kept, and why.
          </EmptyState>
        }
      />
      {opened && <Report cleanUp={opened} onClose={() => open(null)} />}
    </section>
  )
}

function Report({ cleanUp, onClose }: { cleanUp: CleanUp; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getCleanUp, { params: { clean_up_id: cleanUp.id } }))
  return (
    <Modal
      open
      onClose={onClose}
      title={`Clean-up of ${formatExactHere(cleanUp.at)}`}
      size="large"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {data ? (
        <CheckedTags outcome={data} done />
      ) : error ? (
        <ErrorState title="The report could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </Modal>
  )
}
