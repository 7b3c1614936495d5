import { useQuery } from '@tanstack/react-query'
import { dayOf } from '@masthead/contract/kernel/time'
import { getOverview } from '@masthead/contract/overview/operations'
import type { OverviewRange } from '@masthead/contract/overview/range'
import { lazy, Suspense } from 'react'
import { q } from '../api/query.ts'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { LiveFigures } from '../kit/LiveFigures.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Frame, Panel } from '../ui/Panel.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { Attention } from './Attention.tsx'
import { CreditsCell, useSeesCredits } from './CreditsCell.tsx'
import { LatestActivity } from './LatestActivity.tsx'
import { PlacesCell } from './PlacesCell.tsx'
import { areRange, lastDayOf, mostDays, shiftDay, type Overview } from './range-words.ts'
import { StripCell } from './StripCell.tsx'
import { AssetTile, SimTile, TypeTile, UsageTile } from './Tiles.tsx'
import { TopConsumers } from './TopConsumers.tsx'
import { UsagePanel } from './UsagePanel.tsx'
import { VerdictCell } from './VerdictCell.tsx'

const ChosenDays = lazy(() => import('./ChosenDays.tsx').then((module) => ({ default: module.ChosenDays })))
// Only new accounts need it and the form parts below it.
const Onboarding = lazy(() => import('./Onboarding.tsx').then((module) => ({ default: module.Onboarding })))

const defaults = { range: 'month', from: '', to: '' }
const ranges = [
  { value: 'today', label: 'Today' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: 'month', label: 'Month' },
  { value: '12m', label: '12 mo' },
  { value: 'custom', label: 'Custom' },
] as const

export default function OverviewScreen() {
  const [address, change] = useAddressState(defaults)
  const { from, to } = address
  const known = ranges.find(({ value }) => value === address.range)?.value ?? 'month'
  const range: OverviewRange = known === 'custom' && !areRange(from, to) ? 'month' : known
  const chosen = range === 'custom' && { start: from, end: shiftDay(to, 1) }
  const { data, error, refetch } = useQuery(q(getOverview, { query: { range, ...chosen } }))
  // The days one sees are where choosing others begins.
  const choose = (next: OverviewRange) => change({ range: next, ...(next === 'custom' ? daysSeen(data?.usage) : { from: '', to: '' }) })
  if (error && !data)
    return (
      <Panel>
        <ErrorState title="The overview could not be loaded" failure={error} onRetry={() => void refetch()} />
      </Panel>
    )
  const empty = data?.assets.total === 0
  const end = (
    <BannerEnd>
      <LiveFigures as_of={null} />
      {!empty && <Segmented label="Range" options={ranges} value={range} onChange={choose} />}
      {chosen && (
        <Suspense>
          <ChosenDays from={from} to={to} onChange={(days) => change(days)} />
        </Suspense>
      )}
    </BannerEnd>
  )
  if (data?.onboarding)
    return (
      <>
        {end}
        {/* All of it at once, in place of what is on its way: nothing that is shown moves. */}
        <Suspense fallback={<Figures data={undefined} range={range} />}>
          <Onboarding steps={data.onboarding} />
          {empty ? (
            <Frame className="grid-cols-2 @lg:grid-cols-12">
              <LatestActivity activities={data.latest_activity} />
            </Frame>
          ) : (
            <>
              <Glance />
              <Figures data={data} range={range} />
            </>
          )}
        </Suspense>
      </>
    )
  return (
    <>
      {end}
      <Glance />
      {/* What has come takes the place of what was on its way, whose heights a telephone cannot know. */}
      <Figures key={data ? 'here' : 'coming'} data={data} range={range} />
    </>
  )
}

function daysSeen(usage: Overview['usage'] | undefined) {
  const today = dayOf(Date.now())
  const last = usage ? lastDayOf(usage.end) : today
  const to = last > today ? today : last
  const from = usage?.start.slice(0, 10) ?? today
  return areRange(from, to) ? { from, to } : { from: shiftDay(to, 1 - mostDays), to }
}

/** Whether all is well. What somebody does there outlives the coming of the figures. */
const Glance = () => (
  <Frame className="mb-4 grid-cols-2 @lg:grid-cols-12">
    <VerdictCell />
    <StripCell />
  </Frame>
)

function Figures({ data, range }: { data: Overview | undefined; range: OverviewRange }) {
  const seesCredits = useSeesCredits().any
  return (
    <Frame className="grid-cols-2 @lg:grid-cols-12">
      <AssetTile assets={data?.assets} />
      <SimTile assets={data?.assets} />
      <UsageTile usage={data?.usage} range={range} />
      <TypeTile assets={data?.assets} />
      <PlacesCell />
      <Attention counts={data?.attention} />
      <UsagePanel usage={data?.usage} range={range} />
      <TopConsumers consumers={data?.top_consumers} as_of={data?.as_of} range={range} />
      <LatestActivity activities={data?.latest_activity} wide={!seesCredits} />
      {seesCredits && <CreditsCell />}
    </Frame>
  )
}
