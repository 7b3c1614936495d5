import { tagColors, type TagColor } from '@masthead/contract/tags/tag'
import { useId } from 'react'
import { cx } from '../ui/cx.ts'
import { TagMark } from '../ui/Tag.tsx'

/** One of the colours of tags. */
export function ColorChoice({ value, onChange }: { value: TagColor; onChange: (color: TagColor) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1">
        {tagColors.map((color) => (
          <label
            key={color}
            title={color}
            className={cx(
              'relative grid size-7 cursor-pointer place-items-center rounded-md border has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus coarse:size-10',
              color === value ? 'border-control bg-active' : 'border-transparent hover:bg-hover'
            )}
          >
            <input
              type="radio"
              name={name}
              value={color}
              aria-label={color}
              checked={color === value}
              onChange={() => onChange(color)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            <span className="pointer-events-none grid scale-150">
              <TagMark color={color} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
