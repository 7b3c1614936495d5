import { CalendarDays, ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from './Button.tsx'
import { isDay, shiftDay, shiftMonth, weekdayOf, weeksOf, yearsAround } from './calendar.ts'
import { cx } from './cx.ts'
import { Field, useField, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { monthWords } from './month-words.ts'
import { usePopover } from './Popover.tsx'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2026, month)).toLocaleString('en', { month: 'long', timeZone: 'UTC' })
)

/** "21 Nov 2026" */
export const dayWords = (day: string) => `${Number(day.slice(8))} ${monthWords[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

type DateFieldProps = FieldProps & {
  /** `2026-11-21`, or empty. */
  value: string
  onChange: (value: string) => void
  /** First and last day that may be chosen. */
  min?: string
  max?: string
  /** Today's day. The calendar opens there, or at the day nearest to it that may be chosen, when nothing is chosen. */
  today: string
  placeholder?: string
  /** Can be emptied again. */
  clearable?: boolean
  disabled?: boolean
  className?: string
}

/**
 * A day, chosen from a calendar: years from 20 before to 50 after the current one, weeks from Sunday (spec §5). Arrow keys walk the days, Home
 * and End the week, Page Up and Down the months, with Shift the years; Enter chooses, Escape leaves it.
 */
export function DateField({ placeholder = 'Choose a day', ...props }: DateFieldProps) {
  const { frame, box, control, rest } = useField(props)
  const { value, onChange, clearable, disabled = false, ...days } = rest
  const { label } = frame
  const popover = usePopover({ onOpen: (popup) => popup.querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus() })
  const shown = isDay(value) ? value : ''
  return (
    <Field {...frame}>
      <div className="relative">
        <button
          {...box}
          {...control}
          ref={popover.trigger}
          type="button"
          popoverTarget={popover.id}
          aria-haspopup="dialog"
          aria-expanded={popover.open}
          aria-label={`${label}: ${shown ? dayWords(shown) : placeholder}`}
          disabled={disabled}
          className={cx('field w-full whitespace-nowrap', clearable && shown && !disabled && 'pr-8')}
        >
          <Icon of={CalendarDays} size={14} className="text-fg-3" />
          {shown ? <span className="tabular-nums">{dayWords(shown)}</span> : <span className="text-fg-3">{placeholder}</span>}
        </button>
        {clearable && shown && !disabled && (
          <IconButton
            label={`Clear ${label}`}
            icon={X}
            size="small"
            className="absolute top-0.5 right-0.5"
            onClick={() => {
              // The button goes with the day: whoever pressed it by a key goes on from the field.
              popover.trigger.current?.focus()
              onChange('')
            }}
          />
        )}
      </div>
      <div {...popover.popup} role="dialog" aria-label={label} tabIndex={-1} className="floating panel-float p-2">
        {popover.open && (
          <Calendar
            {...days}
            value={shown}
            onChoose={(day) => {
              popover.close()
              if (day !== value) onChange(day)
            }}
          />
        )}
      </div>
    </Field>
  )
}

const moves: Record<string, (day: string, shift: boolean) => string> = {
  ArrowLeft: (day) => shiftDay(day, -1),
  ArrowRight: (day) => shiftDay(day, 1),
  ArrowUp: (day) => shiftDay(day, -7),
  ArrowDown: (day) => shiftDay(day, 7),
  Home: (day) => shiftDay(day, -weekdayOf(day)),
  End: (day) => shiftDay(day, 6 - weekdayOf(day)),
  PageUp: (day, shift) => shiftMonth(day, shift ? -12 : -1),
  PageDown: (day, shift) => shiftMonth(day, shift ? 12 : 1),
}

function Calendar({
  value,
  min,
  max,
  today,
  onChoose,
}: Pick<DateFieldProps, 'value' | 'min' | 'max' | 'today'> & { onChoose: (day: string) => void }) {
  const years = yearsAround(today)
  const within = (day: string) => {
    const [first, last] = [`${years[0]}-01-01`, `${years.at(-1)}-12-31`]
    return day < first ? first : day > last ? last : day
  }
  const [at, goTo] = useState(() =>
    within(value || (max !== undefined && today > max ? max : min !== undefined && today < min ? min : today))
  )
  const setAt = (day: string) => goTo(within(day))
  const grid = useRef<HTMLTableElement>(null)
  const year = Number(at.slice(0, 4))
  const outside = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max)
  const select = 'h-7 rounded-md bg-raised px-1 font-medium hover:bg-active'
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-1">
        <select
          aria-label="Month"
          className={select}
          value={Number(at.slice(5, 7)) - 1}
          onChange={({ target }) => setAt(shiftMonth(at, Number(target.value) - Number(at.slice(5, 7)) + 1))}
        >
          {months.map((name, month) => (
            <option key={name} value={month}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Year"
          className={select}
          value={year}
          onChange={({ target }) => setAt(shiftMonth(at, (Number(target.value) - year) * 12))}
        >
          {years.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <IconButton label="Previous month" icon={ChevronLeft} size="small" className="ml-auto" onClick={() => setAt(shiftMonth(at, -1))} />
        <IconButton label="Next month" icon={ChevronRight} size="small" onClick={() => setAt(shiftMonth(at, 1))} />
      </div>
      <table
        ref={grid}
        role="grid"
        aria-label={`${months[Number(at.slice(5, 7)) - 1]} ${year}`}
        onKeyDown={(event) => {
          const move = moves[event.key]
          if (!move) return
          event.preventDefault()
          const next = within(move(at, event.shiftKey))
          // Drawn before the next key: a month that left with the focus would leave that key to nobody.
          flushSync(() => setAt(next))
          grid.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
        }}
      >
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name} className="size-8 text-center text-2xs font-medium text-fg-3">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} role="gridcell" aria-selected={day === value} className="p-0">
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    aria-label={`${weekdays[weekdayOf(day)]} ${dayWords(day)}`}
                    aria-current={day === today ? 'date' : undefined}
                    aria-disabled={outside(day) || undefined}
                    className={cx(
                      'mx-auto grid size-8 place-items-center rounded-md tabular-nums coarse:size-10',
                      outside(day)
                        ? 'cursor-not-allowed text-disabled'
                        : day === value
                          ? 'bg-accent font-semibold text-on-green'
                          : 'hover:bg-active',
                      !outside(day) && day !== value && day.slice(0, 7) !== at.slice(0, 7) && 'text-fg-3',
                      day === today && day !== value && 'ring-1 ring-control ring-inset'
                    )}
                    onClick={() => !outside(day) && onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
