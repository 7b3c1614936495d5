import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../app.ts'

/** What somebody could do when they were answered. */
export type Rights = Pick<Actor, 'kind' | 'permissions' | 'tags' | 'staff'>

export const rightsOf = ({ kind, permissions, tags, staff }: Actor): Rights => ({ kind, permissions, tags, staff })

/** Whether somebody sees all that an answer names: the areas know. */
export type Sees = (db: Db, actor: Actor, answer: unknown) => Promise<boolean>

type Kept = { rights: unknown; reply: unknown; sees: Sees }

const changed = 'What you may do here has changed since this was answered the first time. It happened once: look at what came of it'

/**
 * An answer that was kept is given again only to whom the call would be allowed now: whatever it was allowed by must still be there, and what
 * it names still seen. Throws forbidden or not_found.
 */
export async function refuseLessRights(db: Db, actor: Actor, { rights, reply, sees }: Kept): Promise<void> {
  if (!covers(rightsOf(actor), rights as Rights | null)) throw new Problem(forbidden, changed)
  if (!(await sees(db, actor, reply))) throw new Problem(notFound, changed)
}

/** Whether all that was held is held now. Of an answer from before rights were kept nobody knows. */
function covers(now: Rights, then: Rights | null): boolean {
  if (then === null) return now.permissions === 'all' && now.tags.length === 0
  const permissions = now.permissions === 'all' || (then.permissions !== 'all' && all(then.permissions, now.permissions))
  const tags = now.tags.length === 0 || (then.tags.length > 0 && all(then.tags, now.tags))
  return now.kind === then.kind && permissions && tags && all(then.staff, now.staff)
}

const all = (held: readonly string[], now: readonly string[]) => held.every((one) => now.includes(one))
