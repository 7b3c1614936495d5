import { X } from 'lucide-react'
import { Icon } from './Icon.tsx'

/** A filter that is on, in words: "Type | is any of | ALPON X4, CORE", and how to take it off. */
export function FilterChip({ label, verb = 'is', value, onRemove }: { label: string; verb?: string; value: string; onRemove: () => void }) {
  const cell = 'inline-flex items-center px-2'
  return (
    <span className="inline-flex h-7 max-w-full flex-none items-stretch divide-x divide-line overflow-hidden rounded-md border border-line-2 bg-bg text-xs whitespace-nowrap">
      <span className={`${cell} text-fg-3`}>{label}</span>
      <span className={`${cell} text-fg-3 @max-xs:hidden`}>{verb}</span>
      <span className={`${cell} min-w-0 font-medium`}>
        <span className="max-w-60 truncate">{value}</span>
      </span>
      <button
        type="button"
        aria-label={`Remove filter ${label}`}
        className="inline-flex items-center px-[5px] text-fg-3 hover:bg-active hover:text-fg focus-visible:-outline-offset-2 coarse:px-2.5"
        onClick={onRemove}
      >
        <Icon of={X} size={14} />
      </button>
    </span>
  )
}
