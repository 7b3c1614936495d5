import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { actorMay, type Actor, type Db, type Tx } from '../kernel/app.ts'

export type NamedTag = { id: string; name: string }
/** What may be done, and with which assets: tag ids, none for all. */
export type Rights = { permissions: 'all' | readonly string[]; tags: readonly string[] }
export type Owner = { account_id: string; person_id: string; email: string; team_name: string }
export type Member = { person_id: string; account_id: string; email: string; permissions: string[]; tags: string[] }

/** An account's owner. Locks the account: whoever changes its team, or deletes its tags, comes one after the other. */
export const lockTeam = (tx: Tx, account_id: string): Promise<Owner> =>
  ownerQuery(tx).where('account.id', '=', account_id).forNoKeyUpdate('account').executeTakeFirstOrThrow()

/** The account that an e-mail owns, locked likewise. */
export const findTeamByOwner = (tx: Tx, email: string): Promise<Owner | undefined> =>
  ownerQuery(tx).where('person.email', '=', email).forNoKeyUpdate('account').executeTakeFirst()

const ownerQuery = (db: Db) =>
  db
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['account.id as account_id', 'person.id as person_id', 'person.email', 'account.team_name'])

/**
 * What the asker may do at this very moment, now that the team is locked: what took their rights away while they were asking counts.
 * Throws forbidden when they may no longer change the team.
 */
export async function rightsNow(tx: Tx, actor: Actor): Promise<Rights> {
  if (actor.permissions === 'all' || (actor.kind !== 'member' && actor.kind !== 'api_key')) return actor
  const person = await tx
    .selectFrom('person')
    .leftJoin('membership', (join) =>
      join.onRef('membership.person_id', '=', 'person.id').on('membership.account_id', '=', actor.account_id)
    )
    .select(['person.account_id', 'membership.permissions', 'membership.tags'])
    .where('person.id', '=', actor.person_id)
    .executeTakeFirst()
  if (actor.key && person?.account_id === actor.account_id) return actor
  const rights = { permissions: person?.permissions ?? [], tags: person?.tags ?? [] }
  if (!actorMay(rights, updateInvitation.access)) throw new Problem(forbidden)
  return actor.key ? withinKey(rights, actor) : rights
}

/** What a key may of what its maker may now. Limited to other assets than when it came, it comes again. */
function withinKey({ permissions, tags }: { permissions: string[]; tags: string[] }, key: Rights): Rights {
  const unseen = tags.length > 0 && (key.tags.length === 0 || key.tags.some((id) => !tags.includes(id)))
  if (unseen) throw new Problem(forbidden)
  return { permissions: permissions.filter((name) => key.permissions.includes(name)), tags: key.tags }
}

export const findMember = (db: Db, account_id: string, email: string): Promise<Member | undefined> =>
  db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    // `account_id` is the member's own.
    .select(['membership.person_id', 'person.account_id', 'person.email', 'membership.permissions', 'membership.tags'])
    .where('membership.account_id', '=', account_id)
    .where('person.email', '=', email)
    .executeTakeFirst()

export async function getMember(db: Db, account_id: string, email: string): Promise<Member> {
  const member = await findMember(db, account_id, email)
  if (!member) throw new Problem(notFound, `${email} is not a member of the team`)
  return member
}

export const findInvitation = (tx: Tx, account_id: string, email: string) =>
  tx.selectFrom('invitation').selectAll().where('account_id', '=', account_id).where('email', '=', email).forUpdate().executeTakeFirst()

/** The account of whoever an e-mail belongs to, if anybody. */
export const findPerson = (db: Db, email: string) =>
  db.selectFrom('person').select(['id', 'account_id', 'email']).where('email', '=', email).executeTakeFirst()

/** The names of tags, sorted; null when there is no limit. */
export async function tagNames(db: Db, account_id: string, ids: readonly string[]): Promise<string[] | null> {
  if (ids.length === 0) return null
  const tags = await db.selectFrom('tag').select('name').where('account_id', '=', account_id).where('id', 'in', ids).execute()
  return tags.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))
}
