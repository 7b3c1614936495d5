import { sql } from 'kysely'
import { poolChanged, poolRenamed } from '@masthead/contract/datapools/events'
import type { updateDataPool as updateOp } from '@masthead/contract/datapools/operations'
import { overageWords, poolClosedWords, type DataPool } from '@masthead/contract/datapools/pool'
import { poolEnded, poolNameTaken } from '@masthead/contract/datapools/problems'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { forbidden, invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { decideTerms } from './decide-terms.ts'
import { getPool } from './pool-queries.ts'
import { renewPools } from './renew-pools.ts'

/** A pool that runs, locked against whoever takes data from it. Throws not_found, pool_ended. */
export async function getPoolForUpdate(tx: Tx, actor: Actor, id: string) {
  const { account_id } = actor
  await getPool(tx, actor, id)
  // With its lock. What is changed after the end of a term is of the next one, also before the job that renews.
  await renewPools(tx, [{ account_id, pool_id: id }], actor.at)
  const pool = await tx
    .selectFrom('data_pool')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!pool) throw new Problem(notFound)
  if (pool.ended_at) throw new Problem(poolEnded)
  return pool
}

/** Throws forbidden: a pool is also of those whom a limited member does not see. */
export function needAllAssets({ tags }: Actor): void {
  const closed = poolClosedWords(tags.length > 0)
  if (closed) throw new Problem(forbidden, closed)
}

/** Changes a pool: what is not named stays. What follows for its SIMs is decided at once. Throws not_found, pool_ended, pool_name_taken. */
export async function updateDataPool(tx: Tx, actor: Actor, id: string, body: Parsed<typeof updateOp>['body']): Promise<DataPool> {
  needAllAssets(actor)
  const pool = await getPoolForUpdate(tx, actor, id)
  const { account_id } = actor
  const name = body.name ?? pool.name
  const overage_policy = body.overage_policy ?? pool.overage_policy
  const overage_percent = overage_policy === 'percent' ? (body.overage_percent ?? pool.overage_percent) : null
  if (overage_policy === 'percent' && overage_percent === null) throw wrong('overage_percent', 'Say how many per cent more')
  if (overage_policy !== 'percent' && body.overage_percent !== undefined) {
    throw wrong('overage_percent', 'Only where a share more is allowed')
  }
  if (overage_percent !== null && overage_percent > (pool.overage_percent ?? 0)) await needGivenMore(tx, pool, overage_percent)
  const thresholds = [...new Set(body.thresholds ?? pool.thresholds)].sort((a, b) => a - b)
  const priority = body.priority ?? pool.priority
  const auto_renew = body.auto_renew ?? pool.auto_renew
  if (name.toLowerCase() !== pool.name.toLowerCase()) await needFreeName(tx, account_id, name)
  await tx
    .updateTable('data_pool')
    .set({ name, overage_policy, overage_percent, thresholds, priority, auto_renew })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  const changes = [
    overageWords({ overage_policy, overage_percent }) !== overageWords(pool) &&
      `after it, ${overageWords({ overage_policy, overage_percent })}`,
    auto_renew !== pool.auto_renew && (auto_renew ? 'it renews' : 'it does not renew'),
    String(thresholds) !== String(pool.thresholds) &&
      (thresholds.length > 0 ? `notifies at ${thresholds.join(', ')} %` : 'does not notify'),
    priority !== pool.priority && `order ${priority}`,
  ].filter((each) => each !== false)
  const named = { pool_id: id, pool_name: name }
  if (name !== pool.name) await record(tx, actor, poolRenamed, { ...named, old_name: pool.name, new_name: name })
  if (changes.length > 0) await record(tx, actor, poolChanged, { ...named, changes: changes.join('; ') })
  await decideTerms(tx, [{ account_id, pool_id: id, starts_at: pool.term_starts_at }], actor.at)
  // Without credits a share more is data, and what is charged is none; and a SIM names the first of its pools.
  if (overage_policy !== pool.overage_policy || priority !== pool.priority) await sql`select pools_changed(${account_id})`.execute(tx)
  return getPool(tx, actor, id)
}

/** A share more costs nothing. Where data is paid it is what the package gives, and what goes beyond is paid as you go. */
async function needGivenMore(
  tx: Tx,
  { account_id, package_id }: { account_id: string; package_id: string },
  percent: number
): Promise<void> {
  const { rows } = await sql`select 1 from billing_account where account_id = ${account_id}`.execute(tx)
  if (rows.length === 0) return
  const given = await tx.selectFrom('data_package').select('overage_percent').where('id', '=', package_id).executeTakeFirst()
  const most = given?.overage_percent ?? 0
  if (percent <= most) return
  const words = most > 0 ? `The package gives at most ${most} % more` : 'The package gives nothing beyond its size'
  throw wrong('overage_percent', `${words}: choose pay as you go for what goes beyond`)
}

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })

/** Throws pool_name_taken. */
export async function needFreeName(tx: Tx, account_id: string, name: string): Promise<void> {
  const taken = await tx
    .selectFrom('data_pool')
    .select('id')
    .where('account_id', '=', account_id)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  if (taken)
    throw new Problem(poolNameTaken, `There is a data pool "${name}" already`, {
      fields: { name: `There is a data pool "${name}" already` },
    })
}
