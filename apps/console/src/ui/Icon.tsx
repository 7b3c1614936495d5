import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'

/** An icon beside words; it says nothing by itself. 16 px in controls, 14 in small ones. */
export function Icon({ of: Shape, size = 16, className }: { of: LucideIcon; size?: 12 | 14 | 16 | 24; className?: string }) {
  return <Shape size={size} strokeWidth={size === 24 ? 1.5 : 1.75} aria-hidden className={cx('flex-none', className)} />
}
