import { cx } from './cx.ts'

/** The place of something on its way, in its size. Set width and height by class. */
export const Skeleton = ({ className }: { className?: string }) => <span aria-hidden className={cx('skeleton', className)} />

/** Lines of text on their way. */
export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  const widths = ['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2']
  return (
    <span className="grid gap-2.5 py-1" aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={widths[line % widths.length]!} />
      ))}
    </span>
  )
}
