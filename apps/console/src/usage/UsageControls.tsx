import { dayOf } from '@masthead/contract/kernel/time'
import { exportTotalUsage } from '@masthead/contract/usage/operations'
import { groupingNeeds, usageGroupings, type UsageInterval } from '@masthead/contract/usage/usage'
import { Download } from 'lucide-react'
import { urlOf } from '../api/client.ts'
import { useMay } from '../api/session.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { DateField } from '../ui/DateField.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Select } from '../ui/Select.tsx'
import { periodPresets, tooLongFor } from './period.ts'
import type { UsageQuestion } from './use-usage-question.ts'

const intervals: Record<UsageInterval, string> = { hour: 'Per hour', day: 'Per day', month: 'Per month' }
const keysOf = <Key extends string>(words: Record<Key, string>) => Object.keys(words) as Key[]
const presets = keysOf(periodPresets).map((value) => ({ value, label: periodPresets[value] }))
const groupings = keysOf(usageGroupings).map((value) => ({
  value,
  label: `By ${value === 'sim' ? usageGroupings[value] : usageGroupings[value].toLowerCase()}`,
}))

/** Which period, how it is divided, and by what it is grouped. */
export function UsageControls({ question }: { question: UsageQuestion }) {
  const { period, from, to, today, dates, interval, group_by, refine } = question
  const custom = period === 'custom'
  const may = { fleet: useMay({ access: groupingNeeds.fleet }), pool: useMay({ access: groupingNeeds.pool }) }
  const offered = groupings.filter(({ value }) => !(value in may) || may[value as keyof typeof may])
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <Segmented
        label="Period"
        options={presets}
        value={(period in periodPresets ? period : 'month') as keyof typeof periodPresets}
        // The days one sees are where choosing others begins.
        onChange={(next) => refine({ period: next, ...(next === 'custom' ? daysOf(dates, today) : { from: '', to: '' }), interval: '' })}
      />
      {custom && (
        <span className="flex flex-wrap items-center gap-2">
          <DateField label="From" hideLabel value={from} max={today} today={today} onChange={(day) => refine({ from: day })} />
          <span className="text-fg-3">to</span>
          <DateField label="To" hideLabel value={to} max={today} today={today} onChange={(day) => refine({ to: day })} />
        </span>
      )}
      <span className="flex w-full items-center gap-2 @xs:w-auto @lg:ml-auto">
        <Select
          label="Granularity"
          hideLabel
          className="flex-1 @xs:w-30 @xs:flex-none"
          value={interval}
          options={keysOf(intervals).map((value) => {
            const why = tooLongFor(dates, value)
            return { value, label: intervals[value], ...(why && { disabled: true, note: why }) }
          })}
          onChange={(next) => refine({ interval: next })}
        />
        <Select
          label="Group by"
          hideLabel
          className="flex-1 @xs:w-36 @xs:flex-none"
          value={group_by}
          options={offered}
          onChange={(next) => refine({ group_by: next, search: '' })}
        />
        <DownloadLink
          className={buttonClass()}
          href={urlOf(exportTotalUsage, { query: { ...dates, interval, group_by } })}
          name="usage.csv"
        >
          <Icon of={Download} className="-ml-0.5" />
          CSV
        </DownloadLink>
      </span>
    </div>
  )
}

const lastDay = (end: string) => dayOf(Date.parse(end) - 1)

const daysOf = ({ start, end }: { start: string; end: string }, today: string) => {
  const last = lastDay(end)
  return { from: start.slice(0, 10), to: last > today ? today : last }
}
