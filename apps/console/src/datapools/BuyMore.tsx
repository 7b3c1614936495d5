import { formatMoney } from '@masthead/contract/billing/money'
import { buyMoreData } from '@masthead/contract/datapools/operations'
import { whyNoMore, type DataPool } from '@masthead/contract/datapools/pool'
import { formatDay } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { ConfirmButton } from '../kit/ConfirmCall.tsx'
import { needsMore } from './pool-words.ts'
import { usePoolClosed } from './use-pool-closed.ts'

/** For a pool that is used up, or will be before its term ends. */
export function BuyMore({ pool }: { pool: DataPool }) {
  const closed = usePoolClosed(buyMoreData, pool)
  const { name, state, unit_bytes, price_micros, currency, term_end } = pool
  if (!needsMore(pool) || whyNoMore(pool) !== null) return null
  const more = formatBytes(unit_bytes)
  const price = price_micros === null ? null : formatMoney(price_micros, currency)
  return (
    <ConfirmButton
      operation={buyMoreData}
      input={{ params: { pool_id: pool.id } }}
      disabled={closed}
      size="small"
      label={price === null ? `Buy ${more} more` : `Buy ${more} more, ${price}`}
      title={`Buy ${more} more for ${name}?`}
      confirm={price === null ? 'Buy' : `Pay ${price}`}
      done={`${name} has ${more} more`}
    >
      {price === null ? 'Its price' : price} is taken from the balance. The pool has {more} more until its term ends on{' '}
      {formatDay(term_end)}; what is left of it then is gone, and the next term is as before.
      {state === 'exhausted' && ' Its SIMs have service again at once.'}
    </ConfirmButton>
  )
}
