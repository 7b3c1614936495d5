import { useQuery } from '@tanstack/react-query'
import type { Reply } from '@masthead/contract/kernel/operation'
import { getTotalUsage, getUsageSums } from '@masthead/contract/usage/operations'
import { dayOf, formatClock, formatDay } from '@masthead/contract/kernel/time'
import { lateHours, usageGroupings } from '@masthead/contract/usage/usage'
import { ChartColumn, Search } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useClock } from '../kit/clock.ts'
import { LiveFigures } from '../kit/LiveFigures.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Table, TableFrame } from '../ui/Table.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { LateDays } from './LateDays.tsx'
import { EmptySessions } from './EmptySessions.tsx'
import { NetworkUsage } from './NetworkUsage.tsx'
import { isWholeMonth, periodWords } from './period.ts'
import { SilentSims } from './SilentSims.tsx'
import { usageColumns } from './usage-columns.tsx'
import { UsageChart } from './UsageChart.tsx'
import { UsageControls } from './UsageControls.tsx'
import { UsageFigures, type UsageSums } from './UsageFigures.tsx'
import { useUsageQuestion } from './use-usage-question.ts'

const perWords = { hour: 'Data per hour', day: 'Data per day', month: 'Data per month' }

export default function TotalUsageScreen() {
  const question = useUsageQuestion()
  const { dates, interval, group_by, search, page, size, refine } = question
  // The sums come at once; what they are made of takes its time in a large account.
  const sums = useQuery(q(getUsageSums, { query: { ...dates, interval } }))
  const total = useQuery(q(getTotalUsage, { query: { ...dates, interval, group_by, page, page_size: size, ...(search && { search }) } }))
  const { data } = total
  const isOfDates = data?.start === dates.start && data.end === sums.data?.end
  const words = periodWords(dates)
  return (
    <>
      <UsageControls question={question} />
      {sums.error && !sums.data ? (
        <NotLoaded failure={sums.error} onRetry={() => void sums.refetch()} />
      ) : (
        <>
          <UsageFigures usage={sums.data} silent={isOfDates ? data.silent_sims : undefined} />
          <Panel title={perWords[interval]} note={`${words}, UTC`} end={<LiveFigures as_of={data?.as_of} />} className="mb-4">
            <UsageChart
              usage={sums.data}
              series={isOfDates ? data.series : undefined}
              dates={dates}
              interval={interval}
              label={`${perWords[interval]} by ${usageGroupings[group_by]}, ${words}`}
            />
            {group_by === 'tag' && <p className="mt-2 text-xs text-fg-3">A SIM with several tags counts in each of them.</p>}
          </Panel>
          <NetworkUsage dates={dates} interval={interval} />
          {total.error && !data ? (
            <NotLoaded failure={total.error} onRetry={() => void total.refetch()} />
          ) : (
            <UsageTable
              question={question}
              usage={data}
              stale={total.isPlaceholderData}
              onSearch={(text) => refine({ search: text.trim() })}
            />
          )}
          <Freshness usage={sums.data} />
          {sums.data && sums.data.late_days.length > 0 && <LateDays days={sums.data.late_days} />}
          {data && data.silent_sims > 0 && <SilentSims dates={dates} interval={interval} />}
          <EmptySessions dates={dates} interval={interval} />
        </>
      )}
    </>
  )
}

const NotLoaded = ({ failure, onRetry }: { failure: Parameters<typeof ErrorState>[0]['failure']; onRetry: () => void }) => (
  <Panel>
    <ErrorState title="Usage could not be loaded" failure={failure} kept="Your selection is kept in the address." onRetry={onRetry} />
  </Panel>
)

function UsageTable({
  question: { dates, group_by, search, page, size, turn, refine },
  usage,
  stale,
  onSearch,
}: {
  question: ReturnType<typeof useUsageQuestion>
  usage: Reply<typeof getTotalUsage> | undefined
  stale: boolean
  onSearch: (text: string) => void
}) {
  const wholeMonth = isWholeMonth(dates)
  const total = usage ? usage.bytes_up + usage.bytes_down : 0
  const first = usage?.series[0]?.bytes.reduce((sum, each) => sum + each, 0) ?? 0
  const largest = total > 0 ? first / total : 0
  const hasLate = (usage?.late_days.length ?? 0) > 0
  const hasBilled = usage?.items.some(({ billed_bytes }) => billed_bytes !== null) ?? false
  const columns = useMemo(
    () => usageColumns(group_by, { wholeMonth, largest, hasLate, hasBilled }),
    [group_by, wholeMonth, largest, hasLate, hasBilled]
  )
  const thing = group_by === 'sim' ? 'name, serial or ICCID' : usageGroupings[group_by].toLowerCase()
  return (
    <>
      <div className="flex pb-3">
        <div className="w-full @sm:max-w-75">
          <SearchField value={search} onChange={onSearch} label={`Search ${thing}`} placeholder={`Search ${thing}`} hotkey />
        </div>
      </div>
      <TableFrame>
        <Table
          // Rows of other groups are no rows of these.
          key={group_by}
          label={`Usage by ${usageGroupings[group_by]}`}
          columns={columns}
          rows={usage?.items}
          stale={stale}
          skeletonRows={size}
          rowId={(row) => row.iccid ?? row.key ?? row.label}
          empty={
            search ? (
              <EmptyState
                icon={Search}
                title="No data found"
                actions={<Button onClick={() => refine({ search: '' })}>Clear the search</Button>}
              >
                No usage in this period matches “{search}”.
              </EmptyState>
            ) : (
              <EmptyState
                icon={ChartColumn}
                title="No data found"
                actions={
                  <Link to="/assets" className={buttonClass()}>
                    See your assets
                  </Link>
                }
              >
                None of your SIMs used data in this period. Usage shows here seconds after the network reports it.
              </EmptyState>
            )
          }
        />
        <TableFoot
          words={
            usage ? showingWords((page - 1) * size + 1, usage.items.length, usage.total, usage.total_capped) : <Skeleton className="w-36" />
          }
          onBack={page > 1 ? () => turn(page - 1) : null}
          onNext={usage?.next ? () => turn(page + 1) : null}
        />
      </TableFrame>
    </>
  )
}

/** With its day, where that is not today: a clock alone would look fresh. */
function untilWords(until: string, today: string) {
  const clock = formatClock(new Date(until).getUTCHours(), new Date(until).getUTCMinutes())
  return dayOf(new Date(until)) === today ? `${clock} UTC` : `${clock} UTC on ${formatDay(until)}`
}

/** Up to when the figures are whole. */
function Freshness({ usage }: { usage: UsageSums | undefined }) {
  const today = useClock((now) => dayOf(now))
  if (!usage) return null
  const until = usage.complete_until
  return (
    <p className="pt-3 text-xs text-fg-3">
      {until === null
        ? 'No usage has been reported yet.'
        : `These figures are complete until ${untilWords(until, today)}. Reports may still arrive up to ${lateHours} h late.`}
    </p>
  )
}
