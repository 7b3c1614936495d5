import { Copy } from 'lucide-react'
import { copyText, cutMiddle } from './copy.ts'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

/** An identifier in mono that copies on click. Longer than `max` characters it is cut in the middle, with the whole on hover. */
export function CopyText({
  text,
  label,
  max = 24,
  className,
}: {
  text: string | null | undefined
  label: string
  max?: number
  className?: string
}) {
  if (!text) return <span className="text-fg-3">—</span>
  return (
    <button
      type="button"
      className={cx('group relative inline-flex max-w-full cursor-copy items-center gap-1.5 rounded-sm text-left', className)}
      title={text.length > max ? text : undefined}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(text)
      }}
    >
      <span className="sr-only">
        Copy {label} {text}
      </span>
      <span className="mono truncate" aria-hidden>
        {cutMiddle(text, max)}
      </span>
      <Icon
        of={Copy}
        size={12}
        className="text-fg-3 opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
      />
    </button>
  )
}
