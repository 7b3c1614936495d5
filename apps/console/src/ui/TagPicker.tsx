import { Plus } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { usePopover } from './Popover.tsx'
import { Tag, TagMark } from './Tag.tsx'
import { nextTagColor, tagColorNames, tagColors, type TagColorName } from './tag-color.ts'

export type PickableTag = { id: string; name: string; color: TagColorName }

/**
 * Tags to put on something: typing narrows the list, arrow keys walk it, Enter puts a tag on or takes it off, Backspace in an empty field
 * takes the last one off. With `onCreate` a name that is not there yet can be made into a tag, in the colour least used.
 */
export function TagPicker({
  tags,
  chosen,
  onChange,
  onCreate,
  placeholder = 'Add a tag',
  max = Infinity,
  ...field
}: FieldProps & {
  tags: readonly PickableTag[]
  /** Ids, in the order they were chosen. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  onCreate?: (tag: { name: string; color: TagColorName }) => void
  placeholder?: string
  disabled?: boolean
  max?: number
}) {
  const { frame, box, control, rest } = useField(field)
  const { disabled = false } = rest
  const listId = useId()
  const popover = usePopover({ manual: true })
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = text.trim().toLowerCase()
  const matching = tags.filter((tag) => tag.name.toLowerCase().includes(wanted))
  const mayCreate = onCreate && wanted !== '' && !tags.some((tag) => tag.name.toLowerCase() === wanted)
  const count = matching.length + (mayCreate ? 1 : 0)
  const current = Math.min(at, count - 1)
  const newColor = nextTagColor(tags.map((tag) => tag.color))
  const isFull = chosen.length >= max

  const toggle = (tag: PickableTag) => {
    if (chosen.includes(tag.id)) onChange(chosen.filter((one) => one !== tag.id))
    else if (!isFull) onChange([...chosen, tag.id])
    setText('')
    setAt(0)
  }
  const choose = (place: number) => {
    const tag = matching[place]
    if (tag) return toggle(tag)
    if (!mayCreate || isFull) return
    onCreate({ name: text.trim(), color: newColor })
    setText('')
    setAt(0)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => (popover.open ? setAt((current + 1) % Math.max(1, count)) : popover.show()),
    ArrowUp: () => (popover.open ? setAt((current - 1 + count) % Math.max(1, count)) : popover.show()),
    Enter: () => (popover.open && count > 0 ? choose(current) : popover.show()),
  }
  return (
    <Field {...frame}>
      <div
        {...box}
        ref={popover.anchor}
        className="field field-wrap"
        onMouseDown={(event) => {
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          input.current?.focus()
        }}
      >
        {chosen.map((one) => {
          const tag = tags.find((each) => each.id === one)
          return (
            tag && (
              <Tag
                key={tag.id}
                name={tag.name}
                color={tag.color}
                {...(!disabled && { onRemove: () => onChange(chosen.filter((other) => other !== one)) })}
              />
            )
          )
        })}
        <input
          {...control}
          ref={input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={popover.open}
          aria-controls={listId}
          aria-activedescendant={popover.open && count > 0 ? `${listId}-${current}` : undefined}
          aria-invalid={frame.error ? true : undefined}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          placeholder={chosen.length === 0 ? placeholder : undefined}
          className="min-w-24"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setAt(0)
            popover.show()
          }}
          onClick={popover.show}
          onBlur={popover.close}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && text === '' && chosen.length > 0) return onChange(chosen.slice(0, -1))
            if (event.key === 'Escape' && (popover.open || text !== '')) {
              // Not the dialog around it.
              event.stopPropagation()
              event.preventDefault()
              if (!popover.open) setText('')
              return popover.close()
            }
            const act = keys[event.key]
            if (!act || event.nativeEvent.isComposing) return
            event.preventDefault()
            act()
          }}
        />
      </div>
      <div {...popover.popup} className="floating panel-float p-1">
        {popover.open && (
          // Pressing an option must not take the focus from the field.
          <div role="listbox" id={listId} aria-label={field.label} aria-multiselectable onMouseDown={(event) => event.preventDefault()}>
            {matching.map((tag, place) => (
              <div
                key={tag.id}
                id={`${listId}-${place}`}
                role="option"
                aria-selected={chosen.includes(tag.id)}
                aria-disabled={(isFull && !chosen.includes(tag.id)) || undefined}
                data-current={place === current ? '' : undefined}
                className={cx('option', isFull && !chosen.includes(tag.id) && 'text-fg-3')}
                onClick={() => toggle(tag)}
                onPointerMove={() => setAt(place)}
              >
                <TagMark color={tag.color} />
                <span className="truncate">{tag.name}</span>
                {chosen.includes(tag.id) && <span className="ml-auto pl-3 text-xs text-fg-3">on</span>}
              </div>
            ))}
            {mayCreate && (
              <div
                id={`${listId}-${matching.length}`}
                role="option"
                aria-selected={false}
                data-current={current === matching.length ? '' : undefined}
                className="option"
                onClick={() => choose(matching.length)}
                onPointerMove={() => setAt(matching.length)}
              >
                <Icon of={Plus} size={14} className="text-fg-3" />
                Create <TagMark color={newColor} /> <b className="truncate font-medium">{text.trim()}</b>
              </div>
            )}
          </div>
        )}
        {popover.open && count === 0 && (
          <p className="px-2 py-2 text-xs text-fg-3">{tags.length === 0 ? 'There are no tags yet' : `Nothing matches “${text.trim()}”`}</p>
        )}
        {isFull && <p className="px-2 py-1.5 text-xs text-fg-3">At most {max}</p>}
      </div>
    </Field>
  )
}

/** The colour of a tag, chosen among all of them by arrow keys. */
export function TagColorPicker({
  label,
  value,
  onChange,
}: {
  label: string
  value: TagColorName
  onChange: (color: TagColorName) => void
}) {
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1">
        {tagColorNames.map((color) => (
          <label key={color} title={tagColors[color].word} className="tag-color">
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={color === value}
              onChange={() => onChange(color)}
              aria-label={tagColors[color].word}
            />
            <span aria-hidden className={cx('size-4 rounded-sm', tagColors[color].class)} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
