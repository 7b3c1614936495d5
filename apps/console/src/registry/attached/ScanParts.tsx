import { formatDay } from '@masthead/contract/kernel/time'
import { scanImage } from '@masthead/contract/registry/image-operations'
import type { Scan } from '@masthead/contract/registry/vulnerability'
import { ScanSearch } from 'lucide-react'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import { toast } from '../../ui/toast.ts'

const states = {
  waiting: { tone: 'idle', words: 'Waiting for the scanner' },
  under_way: { tone: 'info', words: 'Being scanned' },
  done: { tone: 'ok', words: 'Scanned' },
  failed: { tone: 'bad', words: 'Scan failed' },
} as const

/** Has an image scanned. */
export function ScanButton({ image, scan }: { image: { repository_id: string; digest: string }; scan: Scan | null }) {
  const scanning = useOperation(scanImage)
  const isAsked = scan !== null && (scan.state === 'under_way' || (scan.state === 'waiting' && scan.words === null))
  return (
    <ActionButton
      operation={scanImage}
      size="small"
      icon={ScanSearch}
      loading={scanning.isPending}
      disabled={isAsked ? 'The scanner has been asked for this image already' : null}
      onClick={() =>
        scanning.mutate(
          { params: image },
          {
            onSuccess: () => toast.success('The scanner is asked to look into the image'),
            onError: (failure) => toast.failure(failure),
          }
        )
      }
    >
      {scan ? 'Scan again' : 'Scan'}
    </ActionButton>
  )
}

/** How far the scan of an image is, and which report is shown. `inset`: the panel has no padding of its own. */
export function ScanLine({ scan: { state, words, next_try_at, asked_by, report }, inset }: { scan: Scan; inset: boolean }) {
  const shown = states[state]
  return (
    <div className={cx('grid justify-items-start gap-1 text-sm', inset ? 'px-4 pt-3' : 'mb-3')}>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={shown.tone}>{shown.words}</Badge>
        {state !== 'done' && asked_by !== null && <span className="text-fg-2">asked for by {asked_by}</span>}
      </span>
      {words !== null && (
        <span className="max-w-full text-fg-2 wrap-anywhere">
          {words}.{' '}
          {state === 'failed'
            ? 'It was given up, and is tried again by itself after a day.'
            : next_try_at !== null && (
                <>
                  The next try is <RelativeTime at={next_try_at} />.
                </>
              )}
        </span>
      )}
      {report && (
        <span className="max-w-full text-xs text-fg-3 wrap-anywhere">
          Report of {report.scanner}, <RelativeTime at={report.at} />
          {report.database_at !== null && `, with a database of ${formatDay(report.database_at)}`}
        </span>
      )}
    </div>
  )
}
