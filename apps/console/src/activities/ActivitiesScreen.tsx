import { useQuery } from '@tanstack/react-query'
import type { Activity } from '@masthead/contract/activities/activity'
import { listActivities } from '@masthead/contract/activities/operations'
import { History } from 'lucide-react'
import { useMemo } from 'react'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { useClock } from '../kit/clock.ts'
import { FilterButton } from '../kit/FilterButton.tsx'
import { filterWords, type Filter } from '../kit/filters.ts'
import { LiveMark } from '../kit/LiveMark.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { Button } from '../ui/Button.tsx'
import { isDay } from '../ui/calendar.ts'
import { DateField } from '../ui/DateField.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { actorWords } from './ActivitySentence.tsx'
import { categories, localDay, startOfLocalDay } from './activity-days.ts'
import { Feed, FeedSkeleton } from './Feed.tsx'

const defaults = { page: 1, category: [] as string[], actor: '', asset_id: '', from: '', to: '' }
const rowsOnPage = 25

export default function ActivitiesScreen() {
  const [address, change] = useAddressState(defaults)
  const { page, category, actor, asset_id } = address
  const from = isDay(address.from) ? address.from : ''
  const to = isDay(address.to) ? address.to : ''
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  const today = useClock((now) => localDay(new Date(now)))
  const { data, error, refetch, isPlaceholderData } = useQuery(
    q(listActivities, {
      query: {
        page,
        page_size: rowsOnPage,
        ...(category.length > 0 && { category }),
        ...(actor && { actor }),
        ...(asset_id && { asset_id }),
        ...(first && { start: startOfLocalDay(first) }),
        ...(last && { end: startOfLocalDay(last, 1) }),
      },
    })
  )
  const filters = useFilters(data?.items)
  const refine = (patch: Partial<typeof address>) => change({ ...patch, page: 1 })
  const values = { category, actor }
  const chips = filters.flatMap((filter) => {
    const words = filterWords(filter, values[filter.key as keyof typeof values])
    return words ? [{ filter, words }] : []
  })
  const filtered = chips.length > 0 || asset_id !== '' || from !== '' || to !== ''
  const clear = () => refine({ category: [], actor: '', asset_id: '', from: '', to: '' })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <FilterButton filters={filters} values={values} onChange={refine} />
        <DateField
          label="From"
          hideLabel
          clearable
          placeholder="From"
          value={from}
          max={today}
          today={today}
          onChange={(day) => refine({ from: day })}
        />
        <DateField
          label="To"
          hideLabel
          clearable
          placeholder="To"
          value={to}
          max={today}
          today={today}
          onChange={(day) => refine({ to: day })}
        />
        <span className="ml-auto">
          <LiveMark />
        </span>
      </div>
      {filtered && (
        <div className="flex flex-wrap items-center gap-2 pb-3">
          {chips.map(({ filter, words }) => (
            <FilterChip
              key={filter.key}
              label={filter.label}
              {...words}
              onRemove={() => refine({ [filter.key]: filter.multiple ? [] : '' })}
            />
          ))}
          {asset_id && <FilterChip label="Asset" value={assetName(data?.items, asset_id)} onRemove={() => refine({ asset_id: '' })} />}
          <Button color="ghost" size="small" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <section aria-label="Activities" aria-busy={!data || isPlaceholderData} className="overflow-clip rounded-lg border border-line">
        {error && !data ? (
          <ErrorState
            title="The activities could not be loaded"
            failure={error}
            kept="Your filters are kept in the address."
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <FeedSkeleton />
        ) : data.items.length === 0 ? (
          // spec §8, word for word
          <EmptyState
            icon={History}
            title="No activities to list."
            {...(filtered && { actions: <Button onClick={clear}>Clear filters</Button> })}
          >
            {filtered
              ? 'Nothing that happened matches these filters.'
              : 'What you and your team change, and what the network does to your SIMs, is told here.'}
          </EmptyState>
        ) : (
          <Feed activities={data.items} today={today} onActor={(email) => refine({ actor: email })} />
        )}
        {data && data.total > 0 && (
          <div className="-mt-px">
            <TableFoot
              words={showingWords((page - 1) * rowsOnPage + 1, data.items.length, data.total, data.total_capped)}
              onBack={page > 1 ? () => change({ page: page - 1 }, { push: true }) : null}
              onNext={data.next && page * rowsOnPage < 10_000 ? () => change({ page: page + 1 }, { push: true }) : null}
            />
          </div>
        )}
      </section>
    </>
  )
}

/** What an asset is called in its own activities; its id where none tells. */
const assetName = (items: readonly Activity[] | undefined, id: string) =>
  String(items?.find((one) => one.asset_id === id && one.detail.asset_name)?.detail.asset_name ?? id)

/** What one can look for. People are those of the team, and who else is on the page. */
function useFilters(items: readonly Activity[] | undefined): Filter[] {
  const user = useSession((session) => session.user)
  return useMemo(() => {
    const people = new Map([['system', 'Masthead']])
    for (const email of [user?.acting_as ?? user?.email, user?.email, ...(user?.team_members ?? []).map((member) => member.email)])
      if (email) people.set(email, email)
    for (const { actor } of items ?? []) people.set(actor.email, actorWords(actor))
    return [
      { key: 'category', label: 'Category', options: categories, multiple: true },
      { key: 'actor', label: 'By', options: [...people].map(([value, label]) => ({ value, label })) },
    ]
  }, [user, items])
}
