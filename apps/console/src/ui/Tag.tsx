import { X } from 'lucide-react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { tagColors, type TagColorName } from './tag-color.ts'
import { Tooltip } from './Tooltip.tsx'

export type { TagColorName } from './tag-color.ts'

/** The colour of a tag alone, for lists of options. */
export const TagMark = ({ color }: { color: TagColorName }) => (
  <span aria-hidden className={cx('size-2 flex-none rounded-[2px] forced-color-adjust-none', tagColors[color].class)} />
)

/** A tag: a little square of its colour, and its name. */
export function Tag({ name, color, onRemove }: { name: string; color: TagColorName; onRemove?: () => void }) {
  return (
    <span className="inline-flex h-5 min-w-0 items-center gap-[5px] text-xs text-fg-2">
      <TagMark color={color} />
      <span className="truncate">{name}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove tag ${name}`}
          className="grid size-5 place-items-center rounded-sm text-fg-3 hover:bg-active hover:text-fg"
          onClick={onRemove}
        >
          <Icon of={X} size={12} />
        </button>
      )}
    </span>
  )
}

/** The first tags, and how many more there are with their names on hover. A dash for none. */
export function Tags({ tags, max = 1 }: { tags: readonly { name: string; color: TagColorName }[]; max?: number }) {
  if (tags.length === 0) return <span className="text-fg-3">—</span>
  const rest = tags.slice(max)
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-2">
      {tags.slice(0, max).map((tag) => (
        <Tag key={tag.name} {...tag} />
      ))}
      {rest.length > 0 && (
        <Tooltip content={rest.map((tag) => tag.name).join(', ')}>
          <span className="text-xs text-fg-3">+{rest.length}</span>
        </Tooltip>
      )}
    </span>
  )
}
