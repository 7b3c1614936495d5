import { useQuery } from '@tanstack/react-query'
import type { Activity } from '@masthead/contract/activities/activity'
import { exportActivities, listActivities } from '@masthead/contract/activities/operations'
import { pageSize } from '@masthead/contract/kernel/page'
import { formatDay } from '@masthead/contract/kernel/time'
import { Download, History } from 'lucide-react'
import { useMemo } from 'react'
import { urlOf } from '../api/client.ts'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { useClock } from '../kit/clock.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { DayRange } from '../kit/DayRange.tsx'
import { FilterButton } from '../kit/FilterButton.tsx'
import { filterWords, type Filter } from '../kit/filters.ts'
import { FreshRows } from '../kit/FreshRows.tsx'
import { LiveMark } from '../kit/LiveMark.tsx'
import { useAddressState } from '../kit/use-address-state.ts'
import { useSteadyRows } from '../kit/use-steady-rows.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { isDay } from '../ui/calendar.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { Icon } from '../ui/Icon.tsx'
import { showingWords, TableFoot } from '../ui/TableFoot.tsx'
import { ActivitySheet } from './ActivitySheet.tsx'
import { categories, localDay, startOfLocalDay } from './activity-days.ts'
import { actorFilter, filteredWords } from './ActivitySentence.tsx'
import { ChainFoot } from './ChainFoot.tsx'
import { valueWords } from './detail-changes.ts'
import { Feed, FeedSkeleton } from './Feed.tsx'
import { ReadingNote } from './ReadingNote.tsx'

const defaults = { page: 1, category: [] as string[], actor: '', asset_id: '', from: '', to: '', activity: '' }

export default function ActivitiesScreen() {
  const [address, change] = useAddressState(defaults)
  const { page, category, actor, asset_id } = address
  const from = isDay(address.from) ? address.from : ''
  const to = isDay(address.to) ? address.to : ''
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  const today = useClock((now) => localDay(new Date(now)))
  const filter = {
    ...(category.length > 0 && { category }),
    ...(actor && { actor }),
    ...(asset_id && { asset_id }),
    ...(first && { start: startOfLocalDay(first) }),
    ...(last && { end: startOfLocalDay(last, 1) }),
  }
  const query = { page, page_size: pageSize, ...filter }
  const { data, error, refetch, isPlaceholderData, isFetching, dataUpdatedAt } = useQuery(q(listActivities, { query }))
  const steady = useSteadyRows({
    rows: data?.items,
    rowId: (activity) => activity.id,
    question: isPlaceholderData ? null : JSON.stringify(query),
    fetching: isFetching,
    updatedAt: dataUpdatedAt,
  })
  const shown = steady.rows ?? []
  const filters = useFilters(data?.items, address)
  const refine = (patch: Partial<typeof address>) => change({ ...patch, page: 1 })
  const values = { category, actor, asset_id }
  const chips = filters.flatMap((filter) => {
    const words = filterWords(filter, values[filter.key as keyof typeof values])
    return words ? [{ filter, words }] : []
  })
  const filtered = chips.length > 0 || from !== '' || to !== ''
  const clear = () => refine({ category: [], actor: '', asset_id: '', from: '', to: '' })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <FilterButton filters={filters} values={values} onChange={refine} />
        <DayRange from={from} to={to} today={today} onChange={refine} />
        <span className="ml-auto flex items-center gap-2">
          <FreshRows count={steady.fresh} onTake={steady.take} />
          <LiveMark />
          <DownloadLink className={buttonClass('ghost')} href={urlOf(exportActivities, { query: filter } as never)} name="activities.csv">
            <Icon of={Download} className="-ml-0.5" />
            Export
          </DownloadLink>
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
          {from && <FilterChip label="From" value={formatDay(from)} onRemove={() => refine({ from: '' })} />}
          {to && <FilterChip label="To" value={formatDay(to)} onRemove={() => refine({ to: '' })} />}
          <Button color="ghost" size="small" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
      <ReadingNote />
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
        ) : shown.length === 0 ? (
          // spec §8, word for word
          <EmptyState
            icon={History}
            title="No activities to list."
            {...(filtered && { actions: <Button onClick={clear}>Clear filters</Button> })}
          >
            {filtered
              ? 'No activity matches these filters.'
              : 'What you, your team and the network do appears here, as far as your permissions allow.'}
          </EmptyState>
        ) : (
          <Feed
            activities={shown}
            today={today}
            onActor={(by) => refine({ actor: by })}
            onOpen={(id) => change({ activity: id }, { push: true })}
          />
        )}
        {data && data.total > 0 && (
          <div className="-mt-px">
            <TableFoot
              words={showingWords((page - 1) * pageSize + 1, shown.length, data.total, data.total_capped)}
              onBack={page > 1 ? () => change({ page: page - 1 }, { push: true }) : null}
              onNext={data.next && page * pageSize < 10_000 ? () => change({ page: page + 1 }, { push: true }) : null}
            />
          </div>
        )}
      </section>
      <ChainFoot />
      {address.activity && (
        <ActivitySheet
          id={address.activity}
          onClose={() => change({ activity: '' })}
          onAsset={(id) => refine({ activity: '', asset_id: id })}
        />
      )}
    </>
  )
}

/** What one can look for. People are those of the team, and who else is on the page or chosen; assets likewise. */
function useFilters(items: readonly Activity[] | undefined, { actor: chosen, asset_id }: typeof defaults): Filter[] {
  const user = useSession((session) => session.user)
  return useMemo(() => {
    const people = new Map([
      ['system', 'Masthead'],
      ['staff', 'Support staff'],
    ])
    for (const email of [user?.acting_as ?? user?.email, user?.email, ...(user?.team_members ?? []).map((member) => member.email)])
      if (email) people.set(email, email)
    const others = (items ?? []).flatMap(({ actor }) => (actor.kind === 'system' ? [] : [actorFilter(actor)]))
    for (const actor of [...(chosen ? [chosen] : []), ...others]) if (!people.has(actor)) people.set(actor, filteredWords(actor))
    const assets = new Map(asset_id ? [[asset_id, asset_id]] : [])
    for (const one of items ?? []) if (one.asset_id) assets.set(one.asset_id, valueWords(one.detail.asset_name ?? one.asset_id))
    const options = (all: Map<string, string>) => [...all].map(([value, label]) => ({ value, label }))
    return [
      { key: 'category', label: 'Category', options: categories, multiple: true },
      { key: 'actor', label: 'Performed by', options: options(people) },
      { key: 'asset_id', label: 'Asset', options: options(assets) },
    ]
  }, [user, items, chosen, asset_id])
}
