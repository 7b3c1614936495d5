import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './Button.tsx'

/**
 * What can be done with the rows ticked; it floats over the foot of the list, so that nothing moves. `onAll` takes all that match, also those
 * of other pages. `totalWords` stands for a total that is not known to the last ("10,000+"). `children` are the actions: buttons in the
 * colour `on-ink`.
 */
export function SelectionBar({
  count,
  total,
  totalWords = total.toLocaleString('en'),
  onAll,
  onClear,
  children,
}: {
  count: number
  total: number
  totalWords?: string
  onAll?: (() => void) | null
  onClear: () => void
  children: ReactNode
}) {
  if (count === 0) return null
  const line = <span className="mx-1.5 my-1 w-px @max-xs:hidden flex-none self-stretch bg-[rgb(255_255_255/.16)]" />
  return (
    <div className="selection-bar" role="region" aria-label="Selected rows" tabIndex={0}>
      <span className="px-2 whitespace-nowrap tabular-nums" aria-live="polite">
        {count === total ? `All ${totalWords}` : count.toLocaleString('en')} selected
        {count < total && <span className="text-on-ink-2 @max-sm:hidden"> of {totalWords}</span>}
      </span>
      {onAll && count < total && (
        <button type="button" className="rounded-sm px-2 font-medium whitespace-nowrap text-(--green-400) hover:underline" onClick={onAll}>
          Select all {totalWords}
          <span className="@max-sm:sr-only"> that match</span>
        </button>
      )}
      {line}
      {children}
      {line}
      <IconButton label="Clear the selection" icon={X} color="on-ink" size="small" onClick={onClear} />
    </div>
  )
}
