import { newId, idKind } from '@masthead/contract/kernel/id'
import type { Db, Tx } from '../../kernel/app.ts'
import type { Caller } from '../protocol/caller.ts'
import { Refusal } from '../protocol/refusal.ts'
import { lockRegistry } from './quota.ts'

const repositoryId = idKind('rpo')
const mostRepositories = 2000

/** A repository of an account, as those who work in it know it. `name`: with the slug. */
export type Repository = { account_id: string; repository_id: string; name: string }
export type Within = Pick<Repository, 'account_id' | 'repository_id'>

const withoutSlug = (name: string) => name.slice(name.indexOf('/') + 1)

export async function findRepository(db: Db, { account_id }: Pick<Caller, 'account_id'>, name: string): Promise<Repository | null> {
  const found = await db
    .selectFrom('registry_repository')
    .select('id')
    .where('account_id', '=', account_id)
    .where('name', '=', withoutSlug(name))
    .executeTakeFirst()
  return found ? { account_id, repository_id: found.id, name } : null
}

/** Throws NAME_UNKNOWN. */
export async function getRepository(db: Db, caller: Caller, name: string): Promise<Repository> {
  const found = await findRepository(db, caller, name)
  if (!found) throw new Refusal('NAME_UNKNOWN', `There is no repository ${name}`)
  return found
}

/** It is there from its first push on. */
export async function needRepository(tx: Tx, caller: Caller, name: string): Promise<Repository> {
  const { account_id, actor } = caller
  await lockRegistry(tx, account_id)
  for (;;) {
    const found = await tx
      .selectFrom('registry_repository')
      .select('id')
      .where('account_id', '=', account_id)
      .where('name', '=', withoutSlug(name))
      // Until this transaction ends nobody removes it as empty.
      .forKeyShare()
      .executeTakeFirst()
    if (found) return { account_id, repository_id: found.id, name }
    const { count } = await tx
      .selectFrom('registry_repository')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= mostRepositories) throw new Refusal('DENIED', `An account has at most ${mostRepositories} repositories`)
    await tx
      .insertInto('registry_repository')
      .values({ account_id, id: newId(repositoryId, actor.at.getTime()), name: withoutSlug(name), created_at: actor.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
