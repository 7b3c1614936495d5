import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../kernel/app.ts'
import type { Repository } from './content/repository.ts'

type Own = Pick<Actor, 'account_id'>

export const slugOf = async (db: Db, { account_id }: Own): Promise<string | null> =>
  (await db.selectFrom('registry_account').select('slug').where('account_id', '=', account_id).executeTakeFirst())?.slug ?? null

/** By its id, or its name with or without the account's. Throws not_found. */
export async function getRepositoryHere(db: Db, actor: Own, asked: string): Promise<Repository> {
  const slug = await slugOf(db, actor)
  const name = slug !== null && asked.startsWith(`${slug}/`) ? asked.slice(slug.length + 1) : asked
  const found = await db
    .selectFrom('registry_repository as r')
    .where('r.account_id', '=', actor.account_id)

    .select(['r.id', 'r.name'])
    .where((is) => is.or([is('r.id', '=', asked), is('r.name', '=', name)]))
    .executeTakeFirst()
  if (!found) throw new Problem(notFound)
  return { account_id: actor.account_id, repository_id: found.id, name: `${slug}/${found.name}` }
}
