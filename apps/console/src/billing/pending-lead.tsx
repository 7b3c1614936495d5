import { listPendingCharges } from '@masthead/contract/billing/cost-operations'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../api/query.ts'

/** So many stand before the entries, those of most: there may be one for each SIM. */
const mostBefore = 5

/** What is not settled yet, before the first page of the entries; of one asset alone where `asset_id` is one. Undefined where it is left out. */
export function usePendingLead(enabled: boolean, asset_id: string) {
  const { data, error } = useQuery({
    ...q(listPendingCharges, { query: { page_size: mostBefore, ...(asset_id && { asset_id }) } }),
    enabled,
  })
  if (!enabled) return undefined
  if (!data) return { rows: error ? [] : undefined, words: null }
  const { items, total, total_capped } = data
  const count = `${total.toLocaleString('en')}${total_capped ? '+' : ''}`
  const all = new URLSearchParams([['tab', 'pending'], ...(asset_id ? [['asset_id', asset_id]] : [])])
  const words = items.length > 0 && (
    <>
      , and{' '}
      {total > items.length ? (
        <>
          {items.length} of{' '}
          <Link className="link" to={{ search: all.toString() }}>
            {count} not settled
          </Link>
        </>
      ) : (
        `${count} not settled`
      )}
    </>
  )
  return { rows: items, words }
}
