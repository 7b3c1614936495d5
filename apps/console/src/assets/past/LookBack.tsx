import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@masthead/contract/assets/asset'
import { getServiceHistory, serviceDays, type ServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { formatDayHere, formatExactHere } from '@masthead/contract/kernel/time'
import { ChevronLeft, ChevronRight, Undo2 } from 'lucide-react'
import { q } from '../../api/query.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Slider } from '../../ui/Slider.tsx'
import { breakOfSpan, changesOf, hadService } from './past-moments.ts'

const hour = 3_600_000
const begins: Record<ServiceHistory['begins'], string> = {
  days: `It goes back ${serviceDays} days.`,
  registered: 'The asset was registered then.',
  swapped: 'This SIM came into the asset then.',
  kept: 'What came before is not read.',
}

/** The last 30 days on a line: the service path shows the time that is chosen on it. `at` null: now. */
export function LookBack({ asset, at, onAt }: { asset: Asset; at: number | null; onAt: (at: number | null) => void }) {
  const { data, error, refetch } = useQuery(q(getServiceHistory, { params: { asset_id: asset.id } }))
  if (error && !data) return <ErrorState title="How it stood before could not be loaded" failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="m-4 h-14" />
  const [from, until] = [Date.parse(data.from), Date.parse(data.until)]
  if (until - from < hour) return null
  const changes = changesOf(data)
  const now = at ?? until
  const before = changes.findLast((change) => change < now)
  const after = at === null ? undefined : changes.find((change) => change > now)
  const set = (next: number | undefined) => onAt(next === undefined || next >= until ? null : Math.max(from, next))
  return (
    <div role="group" aria-label="Look back" className="grid gap-2 border-t border-line bg-chrome px-4 py-3">
      <div className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <Slider
            label="Look back"
            value={now}
            min={from}
            max={until}
            step={hour}
            onChange={set}
            format={(value) => (value >= until - 1 ? 'Now' : formatExactHere(new Date(value).toISOString()))}
          />
          <Band history={data} />
        </div>
        <div className="flex gap-1">
          <IconButton
            size="small"
            icon={ChevronLeft}
            label="Change before"
            disabled={before === undefined && 'Nothing changed before'}
            onClick={() => set(before)}
          />
          <IconButton
            size="small"
            icon={ChevronRight}
            label="Change after"
            disabled={at === null && 'This is how it is now'}
            onClick={() => set(after)}
          />
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-fg-3">
        <span>
          {formatDayHere(data.from)} to now. {begins[data.begins]}
          {data.network_from > data.from && ` Refusals and sessions since ${formatDayHere(data.network_from)}.`}
        </span>
        {at !== null && (
          <span className="ml-auto">
            <Button size="small" icon={Undo2} onClick={() => onAt(null)}>
              Back to now
            </Button>
          </span>
        )}
      </p>
    </div>
  )
}

/** Where there was no service and where it is not kept, along the line; what was changed stands as a tick. */
function Band({ history }: { history: ServiceHistory }) {
  const [from, until] = [Date.parse(history.from), Date.parse(history.until)]
  const place = (at: string) => `${(100 * (Date.parse(at) - from)) / (until - from)}%`
  const off = history.spans.filter((span) => hadService(span) !== true)
  const words = off.map((span) => {
    const why = breakOfSpan(span)
    return `${why ? `No service, ${why}` : 'Not kept'}, from ${formatExactHere(span.from)} to ${formatExactHere(span.until)}`
  })
  return (
    <div
      role="img"
      aria-label={words.join('. ') || 'Service all the time'}
      className="relative h-1.5 overflow-clip rounded-[3px] bg-ok-line"
    >
      {off.map((span, nth) => (
        <span
          key={span.from}
          title={words[nth]}
          className={cx('absolute inset-y-0 min-w-0.5', breakOfSpan(span) ? 'bg-bad-mark' : 'bg-line-2')}
          style={{ left: place(span.from), width: `${(100 * (Date.parse(span.until) - Date.parse(span.from))) / (until - from)}%` }}
        />
      ))}
      {history.marks.map((mark) => (
        <span
          key={`${mark.at} ${mark.words}`}
          title={mark.words}
          className="absolute inset-y-0 w-0.5 bg-fg"
          style={{ left: place(mark.at) }}
        />
      ))}
    </div>
  )
}
