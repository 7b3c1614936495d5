import { Problem } from '@masthead/contract/kernel/problem'
import { tagProtected } from '@masthead/contract/registry/problems'
import { patternFor } from '@masthead/contract/registry/removal'
import type { Db } from '../../kernel/app.ts'
import type { Repository } from './repository.ts'

/** Patterns of the account's tags that are immutable. */
export const immutableOf = async (db: Db, account_id: string): Promise<string[]> =>
  (await db.selectFrom('registry_account').select('immutable').where('account_id', '=', account_id).executeTakeFirst())?.immutable ?? []

/** A repository without the account's slug, as patterns name it. */
export const withoutSlug = (name: string) => name.slice(name.indexOf('/') + 1)

/** Throws tag_protected where a pattern of the account makes one of some tags immutable. */
export async function needMovable(db: Db, { account_id, name }: Repository, ...tags: string[]): Promise<void> {
  const immutable = patternFor(await immutableOf(db, account_id), withoutSlug(name))
  for (const tag of tags) {
    const pattern = immutable(tag)
    if (pattern !== null)
      throw new Problem(
        tagProtected,
        `The tag ${tag} of ${name} is immutable: the rule ${pattern} says so, and it goes on naming what it names`
      )
  }
}
