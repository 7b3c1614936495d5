import type { BulkChange, BulkPreview } from '@masthead/contract/assets/bulk/bulk'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { linesOf } from './bulk-words.ts'

/** How many assets are changed and how many are left, each with why; `outcome` undefined while that is asked. */
export function OutcomeLines({
  of,
  outcome,
  done = false,
}: {
  of: Pick<BulkChange, 'action' | 'to'>
  outcome: Omit<BulkPreview, 'total'> | undefined
  done?: boolean
}) {
  return (
    <dl aria-label="Outcome" aria-busy={!outcome} className="grid divide-y divide-line rounded-md border border-line text-sm">
      {outcome ? (
        linesOf(of, outcome, done).map(({ key, words, count, left }) => (
          <div key={key} className="flex gap-3 px-3 py-2">
            <dt className={cx(left ? 'text-fg-2' : 'font-medium text-fg', !left && key !== 'changed' && 'pl-3')}>{words}</dt>
            <dd className={cx('ml-auto tabular-nums', left ? 'text-fg-2' : 'font-medium text-fg')}>{count.toLocaleString('en')}</dd>
          </div>
        ))
      ) : (
        <div className="px-3 py-2.5">
          <Skeleton className="w-2/5" />
        </div>
      )}
    </dl>
  )
}
