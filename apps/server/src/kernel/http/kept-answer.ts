import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type { Actor, Db } from '../app.ts'

/** What somebody could do when they were answered. */
export type Rights = Pick<Actor, 'kind' | 'permissions' | 'tags' | 'staff'>

export const rightsOf = ({ kind, permissions, tags, staff }: Actor): Rights => ({ kind, permissions, tags, staff })

const changed = 'What you may do here has changed since this was answered the first time. It happened once: look at what came of it'

/**
 * An answer that was kept is given again only to whom the call would be allowed now: whatever it was allowed by must still be there, and the
 * assets that it names in sight. Throws forbidden or not_found.
 */
export async function refuseLessRights(db: Db, actor: Actor, { rights, reply }: { rights: unknown; reply: unknown }): Promise<void> {
  if (!covers(rightsOf(actor), rights as Rights | null)) throw new Problem(forbidden, changed)
  // Staff see every account's.
  if (actor.kind !== 'staff' && !(await seesAll(db, actor, assetsIn(reply)))) throw new Problem(notFound, changed)
}

/** Whether all that was held is held now. Of an answer from before rights were kept nobody knows. */
function covers(now: Rights, then: Rights | null): boolean {
  if (then === null) return now.permissions === 'all' && now.tags.length === 0
  const permissions = now.permissions === 'all' || (then.permissions !== 'all' && all(then.permissions, now.permissions))
  const tags = now.tags.length === 0 || (then.tags.length > 0 && all(then.tags, now.tags))
  return now.kind === then.kind && permissions && tags && all(then.staff, now.staff)
}

const all = (held: readonly string[], now: readonly string[]) => held.every((one) => now.includes(one))

/** The ids of assets that an answer names, wherever it does. */
const assetsIn = (reply: unknown): string[] => [...new Set(JSON.stringify(reply)?.match(/\bast_[0-9A-Za-z]{26}\b/g))]

async function seesAll(db: Db, { account_id, tags }: Actor, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const { rows } = await sql<{ id: string }>`select id from asset where account_id = ${account_id} and id = any (${ids}::text[])
    and (${tags.length === 0} or exists (select from asset_tag t
      where t.account_id = asset.account_id and t.asset_id = asset.id and t.tag_id = any (${tags}::text[])))`.execute(db)
  return rows.length === ids.length
}
