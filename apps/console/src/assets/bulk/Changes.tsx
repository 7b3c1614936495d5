import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { listBulkChanges } from '@masthead/contract/assets/bulk/bulk-operations'
import { History } from 'lucide-react'
import { BesideLink } from '../../kit/BesideLink.tsx'
import { QueryTable } from '../../kit/QueryTable.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { byWords } from '../sim-words.ts'
import { ChangeById } from './ChangeById.tsx'
import { doneWords, progressWords, wordsOf } from './bulk-words.ts'

/** Changes of many assets: one of them, or all. */
export const Changes = ({ change, onClose }: { change: string; onClose: () => void }) =>
  change ? <ChangeById key={change} id={change} onClose={onClose} /> : <ChangesSheet onClose={onClose} />

const columns: Column<BulkChange>[] = [
  {
    id: 'what',
    header: 'Change',
    list: 'title',
    shape: 'two',
    cell: (change) => (
      <TwoLines
        first={
          <span className="font-medium">
            <BesideLink name="change" value={change.id}>
              {change.finished_at ? doneWords(change, change.changed) : wordsOf(change).doing}
            </BesideLink>
          </span>
        }
        second={progressWords(change)}
      />
    ),
  },
  {
    id: 'begun',
    header: 'Started',
    width: 150,
    numeric: true,
    list: 'aside',
    shape: 'two',
    cell: ({ started_at, started_by }) => <TwoLines first={<RelativeTime at={started_at} />} second={`by ${byWords(started_by)}`} />,
  },
]

/** How often they are asked for while one goes on. Milliseconds. */
const askedEvery = 3000

/** The latest first: how far they are, and from there their results and their undoing. */
const ChangesSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet open onClose={onClose} title="Changes of many assets" note="Of the last 30 days. Open one for its results, and to undo it.">
    <QueryTable
      operation={listBulkChanges}
      label="Changes"
      prefix="changes_"
      columns={columns}
      rowId={({ id }) => id}
      again={(changes) => (changes.some(({ finished_at }) => finished_at === null) ? askedEvery : false)}
      empty={
        <EmptyState icon={History} title="No data found">
          Tick assets in the list, or choose a file: each change of many assets is listed here.
        </EmptyState>
      }
    />
  </Sheet>
)
