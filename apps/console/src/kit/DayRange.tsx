import { DateField } from '../ui/DateField.tsx'

/** From a day to a day, as filters of a list: `from` and `to` are days (`2026-01-31`) or empty, none after `today`. */
export function DayRange({
  from,
  to,
  today,
  onChange,
}: {
  from: string
  to: string
  today: string
  onChange: (patch: { from: string } | { to: string }) => void
}) {
  const shared = { hideLabel: true, clearable: true, max: today, today }
  return (
    <div className="flex flex-none gap-2">
      <DateField {...shared} label="From" placeholder="From" value={from} onChange={(day) => onChange({ from: day })} />
      <DateField {...shared} label="To" placeholder="To" value={to} onChange={(day) => onChange({ to: day })} />
    </div>
  )
}
