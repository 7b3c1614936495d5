import { alertShare, formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { cx } from '../ui/cx.ts'

/** Bytes with their unit; a dash for unknown. */
export function Bytes({ of, unitClass }: { of: number | null | undefined; unitClass?: string }) {
  if (of === null || of === undefined) return <span className="text-fg-3">—</span>
  const [value, unit] = formatSteadyBytes(of).split(' ')
  return (
    <span className="whitespace-nowrap">
      {value} <span className={unitClass}>{unit}</span>
    </span>
  )
}

/** From this part of a limit on the bar warns. */
export { alertShare }

/** Used of a limit: both figures and a bar with the alert threshold as a tick. Without a limit only the figure. */
export function LimitBar({ used, limit, className }: { used: number; limit: number | null; className?: string }) {
  const share = limit ? used / limit : 0
  return (
    <span className={cx('limit-bar grid gap-[5px]', className)}>
      <span className="flex justify-end gap-1 text-xs whitespace-nowrap tabular-nums">
        <Bytes of={used} />
        <span className="text-fg-3">{limit === null ? 'no limit' : <>of {formatBytes(limit)}</>}</span>
      </span>
      {limit !== null && (
        <ProgressBar
          value={limit === 0 ? 1 : share}
          label={`Used of the limit of ${formatBytes(limit)}`}
          threshold={alertShare}
          tone={share >= 1 ? 'bad' : share >= alertShare ? 'warn' : 'ok'}
        />
      )}
    </span>
  )
}
