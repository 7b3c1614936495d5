import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from './Button.tsx'
import { cx } from './cx.ts'
import { Field, useFieldIds, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { OptionList, type Option } from './OptionList.tsx'
import { usePopover } from './Popover.tsx'

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

/** One of several options. */
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

/** Any of several options. */
export function MultiSelect<Value extends string>({
  value,
  onChange,
  limit,
  ...rest
}: Shared<Value> & { value: readonly Value[]; onChange: (value: Value[]) => void; limit?: number }) {
  const labels = rest.options.filter((option) => value.includes(option.value)).map((option) => option.label)
  return (
    <SelectButton
      {...rest}
      multiple
      {...(limit && { limit })}
      chosen={value}
      shown={
        labels.length > 0 && (
          <span className="truncate">
            {labels.length > 2 ? `${labels.slice(0, 2).join(', ')} +${labels.length - 2}` : labels.join(', ')}
          </span>
        )
      }
      onToggle={(one) => onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])}
    />
  )
}

function SelectButton<Value extends string>({
  label,
  hideLabel,
  hint,
  error,
  aside,
  options,
  chosen,
  shown,
  onToggle,
  placeholder = 'Choose',
  search,
  disabled = false,
  loading = false,
  size = 'medium',
  multiple = false,
  limit,
  className,
}: Shared<Value> & {
  chosen: readonly Value[]
  shown: ReactNode
  onToggle: (value: Value, close: () => void) => void
  multiple?: boolean
  limit?: number
}) {
  const { id, describedBy } = useFieldIds({ hint, error })
  const popover = usePopover({
    onOpen: (popup) =>
      (
        popup.querySelector<HTMLElement>('input') ??
        popup.querySelector<HTMLElement>('[aria-selected=true]') ??
        popup.querySelector<HTMLElement>('[role=option]')
      )?.focus(),
  })
  return (
    <Field
      id={id}
      label={label}
      {...(hideLabel && { hideLabel })}
      hint={hint}
      error={error}
      aside={aside}
      {...(className && { className })}
    >
      <button
        ref={popover.trigger}
        id={id}
        type="button"
        popoverTarget={popover.id}
        aria-haspopup="listbox"
        aria-expanded={popover.open}
        aria-describedby={describedBy}
        disabled={disabled || loading}
        data-size={size}
        data-invalid={error ? '' : undefined}
        data-off={disabled ? '' : undefined}
        className="field w-full"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          if (!popover.open) event.currentTarget.click()
        }}
      >
        {shown || <span className="text-fg-3">{placeholder}</span>}
        {loading ? <Spinner className="ml-auto" /> : <Icon of={ChevronDown} size={14} className="ml-auto text-fg-3" />}
      </button>
      <div {...popover.popup} className={cx('floating panel-float p-1')}>
        {popover.open && (
          <OptionList
            label={label}
            options={options}
            chosen={chosen}
            multiple={multiple}
            onToggle={(value) => onToggle(value, popover.close)}
            {...(search !== undefined && { search })}
            {...(limit && { limit })}
          />
        )}
      </div>
    </Field>
  )
}
