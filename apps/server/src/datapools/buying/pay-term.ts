import { formatDay } from '@masthead/contract/kernel/time'
import { micros } from '@masthead/contract/billing/money'
import { post } from '../../billing/ledger/index.ts'
import type { Tx } from '../../kernel/app.ts'
import type { PoolOf } from '../renew-pools.ts'

export type DueTerm = PoolOf & { name: string; price_micros: number; starts_at: Date; ends_at: Date }

/** Takes the price of a term from the balance. Paid again, it changes nothing. Throws billing_off, balance_too_low. */
export async function payTerm(
  tx: Tx,
  { account_id, pool_id, name, price_micros, starts_at, ends_at }: DueTerm,
  { actor, at }: { actor: string; at: Date }
): Promise<void> {
  const [paid] = await post(tx, at, [
    {
      account_id,
      key: `pool:${pool_id}:${starts_at.toISOString()}`,
      type: 'charge',
      sub_type: 'data_pool',
      amount_micros: micros(0 - price_micros),
      against: 'revenue',
      description: `Data pool ${name}, ${formatDay(starts_at)} to ${formatDay(ends_at)}`,
      actor,
      source: 'system',
      usage_from: starts_at,
      usage_to: ends_at,
      quantity: 1,
      unit: 'term',
      unit_price_micros: price_micros,
      pool_id,
      refusable: true,
    },
  ])
  await tx
    .updateTable('data_pool_term')
    .set({ paid_by: paid!.id })
    .where('account_id', '=', account_id)
    .where('pool_id', '=', pool_id)
    .where('starts_at', '=', starts_at)
    .execute()
}
