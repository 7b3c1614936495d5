import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Retention, RetentionRule } from '@masthead/contract/registry/retention'
import type { Actor, Db } from '../../kernel/app.ts'
import type { Repository } from '../content/repository.ts'
import { getRepositoryHere, slugOf } from '../repository-here.ts'

/** Of a repository by its id, or (`null`) of all others. */
export type Rules = Map<string | null, RetentionRule>

const rulesOf = (db: Db, account_id: string) => db.selectFrom('registry_retention as t').where('t.account_id', '=', account_id)
const ruleColumns = ['t.keep_newest', 't.keep_days', 't.keep_like', 't.untagged_days'] as const

export async function getRules(db: Db, account_id: string): Promise<Rules> {
  const rows = await rulesOf(db, account_id)
    .select(['t.repository_id', ...ruleColumns])
    .execute()
  return new Map(rows.map(({ repository_id, ...rule }) => [repository_id, rule]))
}

export async function listRetention(db: Db, actor: Actor): Promise<{ items: Retention[] }> {
  const slug = await slugOf(db, actor)
  const rows = await rulesOf(db, actor.account_id)
    .leftJoin('registry_repository as r', (join) => join.onRef('r.account_id', '=', 't.account_id').onRef('r.id', '=', 't.repository_id'))
    .select(['r.name', 't.changed_at', 't.changed_by', ...ruleColumns])
    .orderBy('r.name', (order) => order.asc().nullsFirst())
    .execute()
  return {
    items: rows.map(({ name, changed_at, changed_by, ...rule }) => ({
      repository: name === null ? null : `${slug}/${name}`,
      rule,
      changed_at: changed_at.toISOString(),
      changed_by,
    })),
  }
}

/** Null is all of them. Throws not_found. */
export const getScope = async (db: Db, actor: Actor, repository: string | null): Promise<Repository | null> =>
  repository === null ? null : getRepositoryHere(db, actor, repository)

/** All repositories of an account, by name. */
export async function repositoriesOf(db: Db, account_id: string): Promise<Repository[]> {
  const slug = await slugOf(db, { account_id })
  const rows = await db
    .selectFrom('registry_repository')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .orderBy('name')
    .execute()
  return rows.map(({ id, name }) => ({ account_id, repository_id: id, name: `${slug}/${name}` }))
}

export async function getCleanUpRow(db: Db, { account_id }: Pick<Actor, 'account_id'>, id: string) {
  const found = await db
    .selectFrom('registry_clean_up')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new Problem(notFound)
  return found
}
