import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { termEnd } from '@masthead/contract/datapools/package'
import { mostPools, packageRetired, tooManyPools } from '@masthead/contract/datapools/problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Tx } from '../kernel/app.ts'
import { needFreeName } from './change-pool.ts'
import { beginTerm } from './renew-pools.ts'

const poolId = idKind('dpl')

type Opened = { account_id: string; package_id: string; name?: string | undefined; auto_renew: boolean; by: string; at: Date }

/**
 * Opens a pool of a package; its first term begins on the day of `at`, at 00:00 UTC. What the package says now stays with the pool. Throws not_found, package_retired,
 * pool_name_taken, too_many_pools.
 */
export async function insertPool(tx: Tx, { account_id, package_id, name, auto_renew, by, at }: Opened) {
  const terms = await tx.selectFrom('data_package').selectAll().where('id', '=', package_id).forShare().executeTakeFirst()
  if (!terms) throw new Problem(notFound, 'There is no such package')
  if (terms.retired_at) throw new Problem(packageRetired)
  // One at a time on an account, for the number of pools and their names.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const { rows } = await sql<{ pools: number }>`select count(*)::int as pools from data_pool
    where account_id = ${account_id} and ended_at is null`.execute(tx)
  if (rows[0]!.pools >= mostPools) throw new Problem(tooManyPools)
  const pool_name = name ?? terms.name
  await needFreeName(tx, account_id, pool_name)
  const id = newId(poolId, at.getTime())
  const starts_at = new Date(`${dayOf(at)}T00:00:00Z`)
  const { kind, zone, validity_count, validity_unit, price_micros, currency, max_sims, prorate_first, overage_policy, overage_percent } =
    terms
  const own = {
    kind,
    zone,
    validity_count,
    validity_unit,
    price_micros,
    currency,
    max_sims,
    prorate_first,
    overage_policy,
    overage_percent,
  }
  await tx
    .insertInto('data_pool')
    .values({
      ...own,
      account_id,
      id,
      name: pool_name,
      package_id,
      unit_bytes: terms.size_bytes,
      auto_renew,
      term_starts_at: starts_at,
      opened_at: at,
      opened_by: by,
      ended_at: null,
    })
    .execute()
  const ends_at = termEnd(starts_at, { count: validity_count, unit: validity_unit })
  await beginTerm(tx, { account_id, pool_id: id }, { starts_at, ends_at })
  return { id, pool_name, package_name: terms.name, size_bytes: terms.size_bytes, starts_at, ends_at, terms }
}
