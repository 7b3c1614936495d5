import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { poolBoughtMore } from '@masthead/contract/datapools/events'
import { whyNotSold } from '@masthead/contract/datapools/package'
import { whyNoMore, type DataPool } from '@masthead/contract/datapools/pool'
import { packageNotSold } from '@masthead/contract/datapools/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getPoolForUpdate, needAllAssets } from '../change-pool.ts'
import { decideTerms } from '../decide-terms.ts'
import { getPool } from '../pool-queries.ts'
import { payMore, payerOf } from './pay-term.ts'

/**
 * Gives a pool what its package has in a term once more, for the term that runs, and takes the price of a term for it. Throws not_found, pool_ended,
 * package_not_sold, billing_off, balance_too_low.
 */
export async function buyMoreData(tx: Tx, actor: Actor, id: string): Promise<DataPool> {
  needAllAssets(actor)
  const { name: pool_name, term_starts_at: starts_at, ...pool } = await getPoolForUpdate(tx, actor, id)
  const closed = whyNoMore(pool) ?? whyNotSold(pool, pool.currency)
  if (closed) throw new Problem(packageNotSold, closed)
  const term = { account_id: actor.account_id, pool_id: id, starts_at }
  await payMore(tx, term, payerOf(actor))
  await record(tx, actor, poolBoughtMore, {
    pool_id: id,
    pool_name,
    data_volume: formatBytes(pool.unit_bytes),
    price: formatMoney(micros(pool.price_micros), pool.currency as Currency),
  })
  await decideTerms(tx, [term], actor.at)
  return getPool(tx, actor, id)
}
