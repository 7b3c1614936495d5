import { cx } from './cx.ts'
import { sparkShape } from './spark-shape.ts'

const colors = { accent: 'text-(--plot-1)', quiet: 'text-idle-mark', bad: 'text-bad-mark', info: 'text-info-mark' }

/** How a value went, in the size of a word: no axis, its last point marked. What it means stands beside; `label` says it to a screen reader. */
export function Sparkline({
  values,
  label,
  color = 'accent',
  area = true,
  className = 'h-6 w-24',
}: {
  /** Null where nothing is known. */
  values: readonly (number | null)[]
  label: string
  color?: keyof typeof colors
  area?: boolean
  /** Its size, by class. */
  className?: string
}) {
  const { line, area: below, last } = sparkShape(values)
  if (!last) return <span className="text-fg-3">—</span>
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className={cx('overflow-visible', colors[color], className)}
    >
      {area && <path d={below} fill="currentColor" opacity={0.14} />}
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
      {/* A line without length keeps its round end whatever the picture is stretched to. */}
      <path d={`M${last}h0`} stroke="currentColor" strokeWidth={5} strokeLinecap="round" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
