import { sql, type Expression, type SqlBool } from 'kysely'
import type { Actor } from '../kernel/app.ts'

/** Whose assets are read, as of when, and which tags limit that (none: no limit). */
export type Viewer = Pick<Actor, 'account_id' | 'tags' | 'at'> & {
  /** What moves with every packet is asked from the copy of that time. */
  copied_at?: Date | undefined
  /** It has a row of each asset, those that were never seen too. */
  of_all?: boolean
  /** The networks of the countries that the question names: the planner knows how many assets a network has, and of a country it can but guess. */
  networks?: readonly { mccmnc: string; country: string }[]
  /** Each asset is checked by itself, as a walk that soon has enough wants it. */
  one_by_one?: true
}

/** `column = any(…)`: one parameter however many ids. */
export const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::text[])`

/** The asset has one of these tags. */
export const hasTag = (tags: readonly string[]): Expression<SqlBool> =>
  sql`exists (select from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id and t.tag_id = ${anyOf(tags)})`

/** Conditions every query over `asset` must have: the account, and for a limited member one of their tags. */
export const visibleTo = ({ account_id, tags }: Pick<Viewer, 'account_id' | 'tags'>): Expression<SqlBool> => {
  const own = sql<SqlBool>`asset.account_id = ${account_id}`
  return tags.length === 0 ? own : sql`${own} and ${hasTag(tags)}`
}
