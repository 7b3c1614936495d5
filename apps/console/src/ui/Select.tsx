import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from './Button.tsx'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { hoverDelay, OptionList, type Option } from './OptionList.tsx'
import { usePopover } from './Popover.tsx'
import { Tooltip } from './Tooltip.tsx'

type Shared<Value extends string> = FieldProps & {
  options: readonly Option<Value>[]
  placeholder?: string
  /** A search above the options; on its own when there are more than eight. */
  search?: boolean
  disabled?: boolean
  loading?: boolean
  size?: 'small' | 'medium'
  className?: string
}

/** One of several options. Arrow keys open and walk it, letters jump, Enter chooses, Escape and Tab leave it. */
export function Select<Value extends string>({
  value,
  onChange,
  ...rest
}: Shared<Value> & { value: Value | null; onChange: (value: Value) => void }) {
  const chosen = rest.options.find((option) => option.value === value)
  return (
    <SelectButton
      {...rest}
      chosen={value === null ? [] : [value]}
      hover={chosen?.label ?? ''}
      shown={
        chosen && (
          <>
            {chosen.mark}
            <span className="truncate">{chosen.label}</span>
          </>
        )
      }
      onToggle={(next, close) => {
        close()
        if (next !== value) onChange(next)
      }}
    />
  )
}

/** spec §9: "Alpha, Beta ... and 3 more". */
export const cappedLabels = (labels: readonly string[], limit: number) =>
  labels.length > limit ? `${labels.slice(0, limit).join(', ')} ... and ${labels.length - limit} more` : labels.join(', ')

/** Any of several options; the field names at most `limit` of those chosen. */
export function MultiSelect<Value extends string>({
  value,
  onChange,
  limit = 2,
  ...rest
}: Shared<Value> & { value: readonly Value[]; onChange: (value: Value[]) => void; limit?: number }) {
  const labels = rest.options.filter((option) => value.includes(option.value)).map((option) => option.label)
  return (
    <SelectButton
      {...rest}
      multiple
      chosen={value}
      hover={labels.join(', ')}
      shown={labels.length > 0 && <span className="truncate">{cappedLabels(labels, limit)}</span>}
      onToggle={(one) => onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])}
    />
  )
}

/** Whether the field says less than all that is chosen: it had no room, or names some of many. */
function isCut(field: Element, whole: string): boolean {
  const words = field.querySelector('.truncate')
  return words !== null && (words.scrollWidth > words.clientWidth || words.textContent !== whole)
}

function SelectButton<Value extends string>({
  options,
  chosen,
  hover,
  shown,
  onToggle,
  placeholder = 'Choose',
  search,
  loading = false,
  size = 'medium',
  multiple = false,
  ...field
}: Shared<Value> & {
  chosen: readonly Value[]
  /** What a hover says: all that is chosen, where the field has no room. */
  hover: string
  shown: ReactNode
  onToggle: (value: Value, close: () => void) => void
  multiple?: boolean
}) {
  const { frame, box, control, rest } = useField(field)
  const { id, label } = frame
  const popover = usePopover({
    onOpen: (popup) =>
      (
        popup.querySelector<HTMLElement>('input') ??
        popup.querySelector<HTMLElement>('[aria-selected=true]') ??
        popup.querySelector<HTMLElement>('[role=option]')
      )?.focus(),
  })
  const button = (
    <button
      {...box}
      {...control}
      ref={popover.trigger}
      type="button"
      popoverTarget={popover.id}
      aria-haspopup="listbox"
      aria-expanded={popover.open}
      aria-labelledby={`${id}-label ${id}-value`}
      disabled={rest.disabled || loading}
      data-size={size}
      className="field w-full"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        if (!popover.open) event.currentTarget.click()
      }}
    >
      <span id={`${id}-value`} className="flex min-w-0 items-center gap-2">
        {shown || <span className="truncate text-fg-3">{placeholder}</span>}
      </span>
      {loading ? <Spinner className="ml-auto" /> : <Icon of={ChevronDown} size={14} className="ml-auto text-fg-3" />}
    </button>
  )
  return (
    <Field {...frame}>
      <Tooltip content={hover} delay={hoverDelay} silent disabled={hover === ''} when={(field) => isCut(field, hover)}>
        {button}
      </Tooltip>
      <div {...popover.popup} className={cx('floating panel-float p-1')}>
        {popover.open && (
          <OptionList
            label={label}
            options={options}
            chosen={chosen}
            multiple={multiple}
            onToggle={(value) => onToggle(value, popover.close)}
            {...(search !== undefined && { search })}
          />
        )}
      </div>
    </Field>
  )
}
