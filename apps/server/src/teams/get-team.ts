import { sql } from 'kysely'
import { updateInvitation } from '@masthead/contract/teams/operations'
import type { Team } from '@masthead/contract/teams/team'
import type { TagColor } from '@masthead/contract/tags/tag'
import type * as z from 'zod/mini'
import { lastActive } from '../auth/index.ts'
import { factorOf } from '../factors/index.ts'
import { actorMay, type Actor, type Db } from '../kernel/app.ts'
import { fixedWords, grantable } from './may-grant.ts'

type Tag = { id: string; name: string; color: z.output<typeof TagColor> }

/**
 * The team of the account being acted on. A limited asker learns no names of tags that are not theirs. People of the team see who of them
 * has no second factor, programs do not.
 */
export async function getTeam(db: Db, actor: Actor): Promise<Team> {
  const { account_id } = actor
  const { second_factor_demanded_at, last_active_at, has_factor, ...owner } = await db
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['person.email', 'person.name', 'account.team_name', 'account.second_factor_demanded_at'])
    .select([lastActive('person', 'account.id'), hasFactor])
    .where('account.id', '=', account_id)
    .executeTakeFirstOrThrow()
  const members = await listMembers(db, account_id)
  const invitations = await listInvitations(db, account_id)
  const tags = await listKnownTags(db, actor)
  const mayEdit = actorMay(actor, updateInvitation.access)
  const isPerson = actor.kind !== 'api_key'
  const shown = ({ email, permissions, tags: ids, invited_by }: Granted) => {
    const known = tags.filter((tag) => ids.includes(tag.id))
    return {
      email,
      permissions,
      limited: ids.length > 0,
      tags: known,
      hidden_tags: ids.length - known.length,
      invited_by,
      fixed: fixed(actor, mayEdit, { email, permissions, tags: ids }),
    }
  }
  return {
    owner: { ...owner, last_active_at: last_active_at?.toISOString() ?? null, second_factor: isPerson ? has_factor : null },
    second_factor_demanded: second_factor_demanded_at !== null,
    members: members.map((member) => ({
      ...shown(member),
      name: member.name,
      invited_at: member.invited_at?.toISOString() ?? null,
      joined_at: member.created_at.toISOString(),
      last_active_at: member.last_active_at?.toISOString() ?? null,
      second_factor: isPerson ? member.has_factor : null,
    })),
    invitations: invitations.map((invitation) => ({
      ...shown(invitation),
      invited_at: invitation.created_at.toISOString(),
      expires_at: invitation.expires_at.toISOString(),
      expired: invitation.expires_at <= actor.at,
    })),
    grantable: mayEdit ? grantable(actor) : [],
    must_limit: actor.tags.length > 0,
    choices: mayEdit ? tags : [],
  }
}

type Granted = { email: string; permissions: string[]; tags: string[]; invited_by: string | null }

function fixed(actor: Actor, mayEdit: boolean, granted: Omit<Granted, 'invited_by'>): string | null {
  if (!mayEdit) return 'You do not have the permission to change the team'
  if (granted.email === actor.email) return 'What you may do here is for others to change'
  return fixedWords(actor, granted)
}

const hasFactor = sql<boolean>`${sql.raw(factorOf('person.id'))}`.as('has_factor')

const listMembers = (db: Db, account_id: string) =>
  db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.email', 'person.name', 'membership.permissions', 'membership.tags', 'membership.created_at'])
    .select(['membership.invited_by', 'membership.invited_at'])
    .select([lastActive('person', 'membership.account_id'), hasFactor])
    .where('membership.account_id', '=', account_id)
    .orderBy('person.email')
    .execute()

const listInvitations = (db: Db, account_id: string) =>
  db
    .selectFrom('invitation')
    .select(['email', 'permissions', 'tags', 'invited_by', 'created_at', 'expires_at'])
    .where('account_id', '=', account_id)
    .orderBy('email')
    .execute()

/** The account's tags by name, as far as the asker may know of them. */
const listKnownTags = (db: Db, { account_id, tags }: Actor): Promise<Tag[]> =>
  db
    .selectFrom('tag')
    .select(['id', 'name'])
    .select((eb) => eb.ref('color').$castTo<Tag['color']>().as('color'))
    .where('account_id', '=', account_id)
    .$if(tags.length > 0, (query) => query.where('id', 'in', tags))
    .orderBy((eb) => eb.fn('lower', ['name']))
    .execute()
