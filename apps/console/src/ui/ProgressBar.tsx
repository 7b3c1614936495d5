import { cx } from './cx.ts'

const fills = { ok: 'bg-ok-mark', warn: 'bg-warn-mark', bad: 'bg-bad-mark', idle: 'bg-idle-mark', info: 'bg-info-mark' }
/** spec §9: in rows, in panels, alone. Pixels. */
export const progressSizes = [6, 10, 15] as const
const heights = { 3: 'h-[3px] rounded-sm', 6: 'h-1.5 rounded-[3px]', 10: 'h-2.5 rounded-sm', 15: 'h-[15px] rounded-sm' }

/** How much of a whole: `value` from 0 to 1, more is hatched. `threshold` draws a tick. Of its heights 3 is ours, under a row. */
export function ProgressBar({
  value,
  label,
  size = 6,
  tone = 'ok',
  threshold,
  className,
}: {
  value: number
  /** Names it for a screen reader: "Used of the limit". */
  label: string
  size?: 3 | (typeof progressSizes)[number]
  tone?: keyof typeof fills
  threshold?: number
  className?: string
}) {
  const whole = Math.max(1, value)
  const percent = (part: number) => `${(100 * part) / whole}%`
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(Math.min(1, value) * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${Math.round(value * 100)} %`}
      className={cx(
        'progress relative block overflow-hidden',
        heights[size],
        size === 3 ? 'bg-active' : 'bg-sunken ring-1 ring-line ring-inset',
        className
      )}
    >
      <span
        className={cx('absolute inset-y-0 left-0 rounded-[inherit]', fills[tone])}
        style={{ width: percent(Math.min(1, Math.max(0, value))) }}
      />
      {value > 1 && <span className="hatched absolute inset-y-0 right-0" style={{ left: percent(1) }} />}
      {threshold !== undefined && (
        <span className="absolute inset-y-0 -ml-px w-0.5 bg-fg opacity-55" style={{ left: percent(threshold) }} />
      )}
    </span>
  )
}
