import { dayOf } from '@masthead/contract/kernel/time'
import { useClock } from '../kit/clock.ts'
import { DateField } from '../ui/DateField.tsx'
import { mostDays, shiftDay } from './range-words.ts'

type Days = { from: string; to: string }

/** The first and the last day (UTC) of a range of one's own. */
export function ChosenDays({ from, to, onChange }: Days & { onChange: (patch: Partial<Days>) => void }) {
  const today = useClock(dayOf)
  const latest = [today, shiftDay(from, mostDays - 1)].toSorted()[0]!
  return (
    <span className="flex flex-wrap items-center gap-2">
      <DateField
        label="From"
        hideLabel
        value={from}
        min={shiftDay(to, 1 - mostDays)}
        max={to}
        today={today}
        onChange={(day) => onChange({ from: day })}
      />
      <span className="text-fg-3">to</span>
      <DateField label="To" hideLabel value={to} min={from} max={latest} today={today} onChange={(day) => onChange({ to: day })} />
    </span>
  )
}
