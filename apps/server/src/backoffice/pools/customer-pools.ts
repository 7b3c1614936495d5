import { sql } from 'kysely'
import { poolEndedByStaff, poolGranted, poolGrown } from '@masthead/contract/datapools/events'
import type {
  endPool as endOp,
  growPool as growOp,
  listCustomerPools as listOp,
  openPool as openOp,
} from '@masthead/contract/backoffice/pool-operations'
import type { DataPool } from '@masthead/contract/datapools/pool'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { decideTerms, getPool, getPoolForUpdate, insertPool } from '../../datapools/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { beginning, containing } from '../../kernel/http/like.ts'
import { getAccountOf } from '../accounts/accounts.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { needRightsOnThings } from '../staff/staff.ts'

/** An account as its owner looks at it, with its prices: what staff may do is asked before. */
const onAccount = (actor: Actor, account_id: string): Actor => ({ ...actor, account_id, tags: [], permissions: 'all' })

/** The data pools of every account. */
export function listCustomerPools(db: Db, actor: Actor, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> {
  const { search, state } = query
  let all = db
    .selectFrom('data_pool as pool')
    .innerJoin('account', 'account.id', 'pool.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
  if (state === 'ended') all = all.where('pool.ended_at', 'is not', null)
  else if (state !== 'all') all = all.where('pool.ended_at', 'is', null)
  if (state === 'exhausted') {
    all = all.where(
      sql<boolean>`exists (select from data_pool_term t where t.account_id = pool.account_id and t.pool_id = pool.id and t.starts_at = pool.term_starts_at
        and t.exhausted_at is not null)`
    )
  }
  if (search) {
    all = all.where(
      sql<boolean>`(lower(pool.name) like ${containing(search)} or lower(account.team_name) like ${containing(search)} or owner.email like ${beginning(search)})`
    )
  }
  return pageByKey(db, query, {
    name: 'customer pools',
    all,
    keys: [
      { of: sql`lower(account.team_name)`, is: 'text' },
      { of: sql.ref('pool.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) => page.select(['pool.id', 'pool.account_id', 'owner.email as account_email', 'account.team_name']),
    items: (rows) =>
      Promise.all(
        rows.map(async ({ id, account_id, account_email, team_name }) => ({
          ...(await getPool(db, onAccount(actor, account_id), id)),
          account_email,
          team_name,
        }))
      ),
  })
}

/** Opens a pool for a customer. Throws not_found, package_retired, pool_name_taken, too_many_pools, staff_own_account, staff_may_more. */
export async function openPool(
  tx: Tx,
  actor: Actor,
  { account: email, reason, ...given }: Parsed<typeof openOp>['body']
): Promise<DataPool> {
  const account = await getAccountOf(tx, email)
  await needRightsOnThings(tx, actor, account)
  const { id, pool_name, package_name, size_bytes } = await insertPool(tx, {
    ...given,
    account_id: account.id,
    by: actor.email,
    at: actor.at,
  })
  const detail = { pool_id: id, pool_name, package_name, data_volume: formatBytes(size_bytes), reason }
  await recordStaff(tx, actor, poolGranted, detail, { account, target: pool_name, reason, after: detail })
  return getPool(tx, onAccount(actor, account.id), id)
}

/** Whose pool it is. Throws not_found. */
async function getAccountOfPool(tx: Tx, pool_id: string): Promise<{ id: string; email: string }> {
  const owner = await tx
    .selectFrom('data_pool')
    .innerJoin('person', 'person.account_id', 'data_pool.account_id')
    .select(['data_pool.account_id as id', 'person.email'])
    .where('data_pool.id', '=', pool_id)
    .executeTakeFirst()
  if (!owner) throw new Problem(notFound)
  return owner
}

/** Gives a pool more data in its term. Throws not_found, pool_ended, staff_own_account, staff_may_more. */
export async function growPool(tx: Tx, actor: Actor, pool_id: string, { bytes, reason }: Parsed<typeof growOp>['body']): Promise<DataPool> {
  const account = await getAccountOfPool(tx, pool_id)
  await needRightsOnThings(tx, actor, account)
  const customer = onAccount(actor, account.id)
  const { name: pool_name, term_starts_at: starts_at } = await getPoolForUpdate(tx, customer, pool_id)
  const term = { account_id: account.id, pool_id, starts_at }
  await tx
    .updateTable('data_pool_term')
    .set((eb) => ({ size_bytes: eb('size_bytes', '+', bytes) }))
    .where('account_id', '=', account.id)
    .where('pool_id', '=', pool_id)
    .where('starts_at', '=', starts_at)
    .execute()
  const detail = { pool_id, pool_name, data_volume: formatBytes(bytes), reason }
  await recordStaff(tx, actor, poolGrown, detail, { account, target: pool_name, reason, after: { bytes } })
  await decideTerms(tx, [term], actor.at)
  return getPool(tx, customer, pool_id)
}

/** Ends a pool at once. Throws not_found, pool_ended, staff_own_account, staff_may_more. */
export async function endPool(tx: Tx, actor: Actor, pool_id: string, { reason }: Parsed<typeof endOp>['body']): Promise<DataPool> {
  const account = await getAccountOfPool(tx, pool_id)
  await needRightsOnThings(tx, actor, account)
  const customer = onAccount(actor, account.id)
  const { name: pool_name } = await getPoolForUpdate(tx, customer, pool_id)
  await tx.updateTable('data_pool').set({ ended_at: actor.at }).where('account_id', '=', account.id).where('id', '=', pool_id).execute()
  await sql`select pools_changed(${account.id})`.execute(tx)
  const detail = { pool_id, pool_name, reason }
  await recordStaff(tx, actor, poolEndedByStaff, detail, { account, target: pool_name, reason, after: { ended: true } })
  return getPool(tx, customer, pool_id)
}
