import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listViewCounts } from '@masthead/contract/assets/views/view-operations'
import { q } from '../../api/query.ts'

/** How many assets a view shows. All are counted with one call, and not with what is typed; a minute later they are as good. */
export function ViewCount({ id }: { id: string }) {
  const { data } = useQuery({ ...q(listViewCounts, {}), staleTime: 60_000, placeholderData: keepPreviousData })
  const of = data?.items.find(({ view_id }) => view_id === id)
  if (!of || of.count === null) return null
  const words = `${of.count.toLocaleString('en')}${of.capped ? '+' : ''}`
  return (
    <span className="text-xs font-normal text-fg-3 tabular-nums">
      {words}
      <span className="sr-only"> assets</span>
    </span>
  )
}
