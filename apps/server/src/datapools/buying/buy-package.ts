import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { billingOff } from '@masthead/contract/billing/ledger-problems'
import { poolBought } from '@masthead/contract/datapools/events'
import type { buyPackage as buyOp } from '@masthead/contract/datapools/operations'
import { whyNotSold } from '@masthead/contract/datapools/package'
import type { DataPool } from '@masthead/contract/datapools/pool'
import { packageNotSold } from '@masthead/contract/datapools/problems'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { findBillingAccount } from '../../billing/ledger/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { needAllAssets } from '../change-pool.ts'
import { insertPool } from '../open-pool.ts'
import { getPool } from '../pool-queries.ts'
import { payerOf, payTerm } from './pay-term.ts'

/**
 * Opens a pool of a package and takes the price of its first term from the balance; where each SIM brings its own, nothing before there is one. Throws not_found, package_retired, package_not_sold, pool_name_taken,
 * too_many_pools, billing_off, balance_too_low.
 */
export async function buyPackage(tx: Tx, actor: Actor, { package_id, name, auto_renew }: Parsed<typeof buyOp>['body']): Promise<DataPool> {
  needAllAssets(actor)
  const { account_id, email, at } = actor
  const billing = await findBillingAccount(tx, account_id)
  if (!billing) throw new Problem(billingOff)
  const { terms, ...opened } = await insertPool(tx, { account_id, package_id, name, auto_renew, by: email, at })
  const closed = whyNotSold(terms, billing.currency)
  if (closed) throw new Problem(packageNotSold, closed)
  await tx.updateTable('data_pool').set({ bought: true }).where('account_id', '=', account_id).where('id', '=', opened.id).execute()
  const { price_micros } = terms
  const isFixed = terms.kind === 'fixed'
  // What its SIMs bring is paid when they come.
  if (isFixed)
    await payTerm(
      tx,
      { account_id, pool_id: opened.id, name: opened.pool_name, price_micros, starts_at: opened.starts_at, ends_at: opened.ends_at },
      payerOf(actor)
    )
  await record(tx, actor, poolBought, {
    pool_id: opened.id,
    pool_name: opened.pool_name,
    package_name: opened.package_name,
    data_volume: `${formatBytes(opened.size_bytes)}${isFixed ? '' : ' of each SIM'}`,
    price: `${formatMoney(micros(price_micros), terms.currency as Currency)}${isFixed ? '' : ' a SIM'}`,
  })
  return getPool(tx, actor, opened.id)
}
