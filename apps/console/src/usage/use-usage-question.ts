import { dayOf } from '@masthead/contract/kernel/time'
import { usageGroupings, usageIntervals, type UsageGrouping } from '@masthead/contract/usage/usage'
import { pageSize } from '@masthead/contract/kernel/page'
import { useClock } from '../kit/clock.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { isDay } from '../ui/calendar.ts'
import { periodOf, tooLongFor, usualInterval } from './period.ts'

const defaults = { period: 'month', from: '', to: '', interval: '', group_by: 'sim', search: '', page: 1, size: pageSize }

/** What the screen is about, from its address. What makes no sense there is as if it were not there. */
export function useUsageQuestion() {
  const [address, change] = useAddressState(defaults)
  const today = useClock(dayOf)
  const from = isDay(address.from) ? address.from : ''
  const to = isDay(address.to) ? address.to : ''
  const period = periodOf(address.period, from, to, today)
  const asked = usageIntervals.find((one) => one === address.interval)
  const interval = asked && !tooLongFor(period, asked) ? asked : usualInterval(period)
  const group_by = Object.hasOwn(usageGroupings, address.group_by) ? (address.group_by as UsageGrouping) : 'sim'
  const size = Math.min(address.size, 100)
  return {
    ...address,
    from,
    to,
    size,
    today,
    dates: period,
    interval,
    group_by,
    /** A change of what is shown starts again on the first page. */
    refine: (patch: Partial<typeof address>) => change({ page: 1, ...patch }),
    turn: (page: number) => change({ page }, { push: true }),
  }
}
export type UsageQuestion = ReturnType<typeof useUsageQuestion>
