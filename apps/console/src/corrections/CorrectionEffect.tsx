import { useQuery } from '@tanstack/react-query'
import { getCorrectionPreview } from '@masthead/contract/backoffice/correction-operations'
import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import type { CorrectionPreview } from '@masthead/contract/usage/correction'
import { ArrowRight } from 'lucide-react'
import type { Failure } from '../api/client.ts'
import { q } from '../api/query.ts'
import { Icon } from '../ui/Icon.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { monthWords } from './correction-columns.tsx'

type Asked = { day: string; bytes_up: number; bytes_down: number; mccmnc?: string | undefined; rat?: string | undefined }
type Asking = { data: CorrectionPreview | undefined; error: Failure | null; onRetry: () => void }

/** What a correction as it is typed would do. */
export function useCorrectionPreview(asset: string, asked: Asked): Asking {
  const { data, error, refetch } = useQuery(q(getCorrectionPreview, { params: { any_asset_id: asset }, query: asked }))
  return { data, error, onRetry: () => void refetch() }
}

const blockWords: Record<CorrectionPreview['block'], string> = {
  lifted: 'No longer reached: the block is lifted at once',
  set: 'Reached: the SIM is blocked at once and its session is cut',
  kept: 'Still reached: the block stays',
  none: 'Not reached',
}

const FromTo = ({ from, to }: { from: string; to: string | null }) => (
  <span className="inline-flex flex-wrap items-center gap-x-1.5 tabular-nums">
    {from}
    {to !== null && (
      <>
        <Icon of={ArrowRight} size={14} className="text-fg-3" />
        <span className="sr-only">becomes</span>
        <strong className="font-semibold">{to}</strong>
      </>
    )}
  </span>
)

/** Before and after, what becomes of the limit's block, and in which month it is billed. `empty`: nothing is typed yet. */
export function CorrectionEffect({ data, error, onRetry, empty }: Asking & { empty: boolean }) {
  if (error)
    return (
      <Notice
        tone="bad"
        action={
          <button type="button" className="link" onClick={onRetry}>
            Try again
          </button>
        }
      >
        The effect could not be loaded. What you entered is kept. <FailureWords of={error} />
      </Notice>
    )
  if (!data) return <SkeletonLines lines={4} />
  const { refused, before, after, month, block, adjustment_month } = data
  if (refused && !empty) return <Notice tone="bad">{refused}</Notice>
  const shown = empty ? null : after
  return (
    <section aria-label="Effect" className="rounded-md border border-line px-3">
      <Facts>
        <Fact label="Upload that day">
          <FromTo from={formatSteadyBytes(before.bytes_up)} to={shown && formatSteadyBytes(shown.bytes_up)} />
        </Fact>
        <Fact label="Download that day">
          <FromTo from={formatSteadyBytes(before.bytes_down)} to={shown && formatSteadyBytes(shown.bytes_down)} />
        </Fact>
        {month && (
          <Fact label="This month">
            <FromTo
              from={formatSteadyBytes(month.bytes_before)}
              to={empty || month.bytes_after === null ? null : formatSteadyBytes(month.bytes_after)}
            />
            <span className="text-fg-3"> {month.limit_bytes === null ? 'no limit' : `of ${formatBytes(month.limit_bytes)}`}</span>
          </Fact>
        )}
        {month?.limit_bytes != null && <Fact label="Data limit">{blockWords[block]}</Fact>}
        <Fact label="Billed">
          {adjustment_month
            ? `As an adjustment in ${monthWords(adjustment_month)}: the month of that day is closed`
            : 'In the month of that day'}
        </Fact>
      </Facts>
    </section>
  )
}
