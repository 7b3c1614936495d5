import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { StateShape } from './StateShape.tsx'
import { statuses, type Status } from './status.ts'
import { Badge } from './Badge.tsx'

/** A state as a shape, a word and a colour. `label` says it in other words. */
export function StatusDot({ status, label, className }: { status: Status; label?: ReactNode; className?: string }) {
  const look = statuses[status]
  return (
    <span className={cx('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', className)}>
      <StateShape shape={look.shape} tone={look.tone} />
      {label ?? look.label}
    </span>
  )
}

/** The same with a frame, for heads of panels. */
export function StatusBadge({ status, label }: { status: Status; label?: ReactNode }) {
  const look = statuses[status]
  return (
    <Badge tone={look.tone} shape={look.shape}>
      {label ?? look.label}
    </Badge>
  )
}
