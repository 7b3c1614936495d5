import { useQuery } from '@tanstack/react-query'
import { getCostSummary } from '@masthead/contract/billing/cost-operations'
import { costKinds, Month, type BilledCosts, type CostKind, type MonthCost } from '@masthead/contract/billing/cost'
import { formatDay } from '@masthead/contract/kernel/time'
import { useMemo } from 'react'
import { q } from '../../api/query.ts'
import { BannerEnd } from '../../kit/BannerEnd.tsx'
import { useAddressState } from '../../kit/use-address-state.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Chart, type ChartData } from '../../ui/Chart.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx'
import { Cell, Frame, Panel, Stat } from '../../ui/Panel.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { PlainTable, type Column } from '../../ui/Table.tsx'
import { CostShares } from './CostShares.tsx'
import { PackageCosts } from './PackageCosts.tsx'
import { changeOf, money, monthName } from './cost-words.ts'
import { zoneParts, type ZonePart } from './zone-parts.ts'

/** What a month costs, what it is made of, and where it goes. */
export default function CostSummaryScreen() {
  const [place, change] = useAddressState({ month: '' })
  const asked = Month.safeParse(place.month).success ? place.month : ''
  const { data, error, refetch } = useQuery(q(getCostSummary, { query: asked ? { month: asked } : {} }))
  const months = lastMonths(new Date())
  // An address may ask for another one.
  const offered = asked && !months.includes(asked) ? [...months, asked] : months
  return (
    <>
      <BannerEnd>
        <div className="w-48">
          <Select
            label="Month"
            hideLabel
            value={asked || months[0]!}
            options={offered.map((value) => ({ value, label: monthName(value) }))}
            onChange={(month) => change({ month: month === months[0] ? '' : (month ?? '') }, { push: true })}
          />
        </div>
      </BannerEnd>
      {error && !data ? (
        <ErrorState title="The costs could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data?.currency === null ? (
        <div className="rounded-lg border border-line">
          <EmptyState title="No data found">
            Nothing is charged on this account. Once your provider switches billing on, its costs appear here.
          </EmptyState>
        </div>
      ) : data ? (
        <div className="grid gap-4">
          <Costs costs={{ ...data, currency: data.currency }} />
          {/* Packages are of the whole account: who is limited to tags has none, and no zones. */}
          {data.months.at(-1)!.zones !== null && <PackageCosts month={asked || null} />}
        </div>
      ) : (
        <div role="group" className="grid gap-4" aria-busy="true" aria-label="Loading costs">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-72 w-full" />
        </div>
      )}
    </>
  )
}

const lastMonths = (now: Date) =>
  Array.from({ length: 12 }, (_, i) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - i)).toISOString().slice(0, 7))

function Costs({ costs }: { costs: BilledCosts }) {
  const { currency, month, months, is_closed, closes_at, projected_micros, sims } = costs
  const [before, now] = months.slice(-2) as [MonthCost, MonthCost]
  const chart = useMemo(() => chartOf(costs), [costs])
  return (
    <div className="grid gap-4">
      <Frame className="grid-cols-1 @sm:grid-cols-2 @lg:grid-cols-4">
        <Cell>
          <Stat
            label={
              <span className="flex flex-wrap items-center gap-2">
                {monthName(month)}
                {!is_closed && <Badge tone="idle">Provisional</Badge>}
              </span>
            }
            value={money(now.micros, currency)}
          />
          <p className="text-xs text-fg-3">
            {is_closed ? `closed ${formatDay(closes_at)}` : `closes ${formatDay(closes_at)}, until then it may change`}
          </p>
        </Cell>
        <Cell>
          <Stat label="Projected to its end" value={projected_micros === null ? '—' : money(projected_micros, currency)} />
          <p className="text-xs text-fg-3">
            {projected_micros === null ? 'known from the second day of a running month' : 'if usage goes on as until now'}
          </p>
        </Cell>
        <Cell>
          <Stat label={monthName(before.month)} value={money(before.micros, currency)} />
          <p className="text-xs text-fg-3">
            {before.micros === 0 ? 'nothing was charged' : `${monthName(month)} is at ${changeOf(now.micros, before.micros)}`}
          </p>
        </Cell>
        <Cell>
          <Stat label="Per SIM" value={sims === 0 ? '—' : money(Math.round(now.micros / sims), currency)} />
          <p className="text-xs text-fg-3">{sims === 1 ? '1 SIM has costs' : `${sims.toLocaleString('en')} SIMs have costs`}</p>
        </Cell>
      </Frame>
      <div className="grid items-start gap-4 @md:grid-cols-[minmax(0,1fr)_320px] @md:grid-rows-[auto_1fr]">
        <Panel title="Months by type" note={`in ${currency}, before tax and refunds, months of UTC`}>
          {chart.series.length === 0 ? (
            <p className="grid h-60 place-content-center text-fg-3">Nothing was charged in these months</p>
          ) : (
            <Chart label="Costs of twelve months" height={220} {...chart} />
          )}
        </Panel>
        <Panel title="By type" flush className="overflow-clip @md:row-span-2">
          <PlainTable label="By type" columns={columnsOf(costs)} rows={rowsOf(costs)} rowId={({ kind }) => kind} />
        </Panel>
        <CostShares costs={costs} />
      </div>
      <p className="text-xs text-fg-3">
        What data pools cost, and what was refunded, stands by type alone: it belongs to no country, zone, tag, group or asset. Credits
        granted and tax on payments are not in the total.
      </p>
    </div>
  )
}

/** What SIMs cost each month is one part of a bar: by type they are told apart beside it. */
const barParts = [
  { label: costKinds.payg, of: ['payg'] },
  { label: costKinds.pool_overage, of: ['pool_overage'] },
  { label: costKinds.data_pool, of: ['data_pool'] },
  { label: 'SIM fees', of: ['sim_active', 'sim_inactive', 'sim_standby', 'sim_activation', 'sim_reactivation'] },
] as const satisfies { label: string; of: readonly CostKind[] }[]
const zonesInBars = 4
const zonesInTable = 6

const microsOf = ({ kinds }: MonthCost, wanted: readonly CostKind[]) =>
  kinds.reduce((sum, { kind, micros }) => sum + (wanted.includes(kind) ? micros : 0), 0)

function chartOf({ months, currency }: BilledCosts): ChartData {
  const zones = zoneParts(months, zonesInBars).map(({ name, values, isRest }) => ({ label: `${costKinds.payg}, ${name}`, values, isRest }))
  const parts = barParts.map(({ label, of }) => ({ label, values: months.map((each) => microsOf(each, of)) }))
  const shown = [...zones, ...(zones.length > 0 ? parts.slice(1) : parts)].filter(({ values }) => values.some((value) => value !== 0))
  return {
    kind: 'bars',
    interval: 'month',
    times: months.map(({ month }) => Date.parse(`${month}-01T00:00:00Z`) / 1000),
    series: shown.map(({ label, values, ...part }, at) => ({ label, values, color: 'isRest' in part && part.isRest ? 'rest' : at + 1 })),
    format: (value) => money(value, currency),
    // The currency stands above: nothing and the ruled lines are written alike.
    axis: (value) => (value / 1e6).toLocaleString('en', { maximumFractionDigits: 2 }),
  }
}

/** `is`: a part of the line above it, or none of the month's costs. */
type Row = { kind: string; label: string; now: number; before: number; is?: 'part' | 'beside' }
function rowsOf({ months }: BilledCosts): Row[] {
  const [before, now] = months.slice(-2) as [MonthCost, MonthCost]
  const rows = (Object.keys(costKinds) as CostKind[]).flatMap((kind): Row[] => [
    { kind, label: costKinds[kind], now: microsOf(now, [kind]), before: microsOf(before, [kind]) },
    ...(kind === 'payg' ? zoneParts([before, now], zonesInTable).map(ofZone) : []),
  ])
  // None of these is a cost of the month: they stand below its total.
  const beside = (['granted_micros', 'tax_micros'] as const).map((kind) => ({
    kind,
    label: kind === 'tax_micros' ? 'Tax on payments' : 'Credits granted',
    now: now[kind] ?? 0,
    before: before[kind] ?? 0,
    is: 'beside' as const,
  }))
  return [
    ...rows.filter((row) => row.now !== 0 || row.before !== 0),
    { kind: 'all', label: 'Total', now: now.micros, before: before.micros },
    ...beside.filter((row) => row.now !== 0 || row.before !== 0),
  ]
}
const ofZone = ({ name, values }: ZonePart): Row => ({ kind: `zone ${name}`, label: name, before: values[0]!, now: values[1]!, is: 'part' })

const columnsOf = ({ currency, months }: BilledCosts): Column<Row>[] => [
  {
    id: 'type',
    header: 'Type',
    list: 'title',
    cell: ({ kind, label, is }) => (
      <span className={cx('truncate', kind === 'all' && 'font-semibold', is && 'text-fg-3', is === 'part' && 'pl-4')}>{label}</span>
    ),
  },
  {
    id: 'now',
    header: monthName(months.at(-1)!.month, 'short'),
    width: 96,
    numeric: true,
    list: 'aside',
    cell: ({ now, is }) => <span className={is === 'part' ? 'text-fg-3' : undefined}>{money(now, currency)}</span>,
  },
  {
    id: 'before',
    header: 'Before',
    width: 120,
    numeric: true,
    list: 'below',
    cell: ({ before, is }) => (
      <span className={cx('text-fg-3', is === 'part' && 'pl-4')}>
        {monthName(months.at(-2)!.month, 'short')} {money(before, currency)}
      </span>
    ),
  },
]
