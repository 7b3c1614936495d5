import { sql } from 'kysely'
import { ownerOnly } from '@masthead/contract/event-reading'
import { listAlerts } from '@masthead/contract/notifications/operations'
import type { Database } from '../kernel/database/database.ts'
import type { Db } from '../kernel/app.ts'

export type Recipient = { person_id: string; email: string; permissions: 'all' | readonly string[]; tags: readonly string[] }
type About = Pick<Database['alert'], 'audience' | 'permission' | 'asset_id'>

/** Everybody on an account who may see alerts at all: the owner, and members with the permission for it. */
export async function listRecipients(db: Db, account_id: string): Promise<Recipient[]> {
  const owners = await db.selectFrom('person').select(['id', 'email']).where('account_id', '=', account_id).execute()
  const members = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.id as person_id', 'person.email', 'membership.permissions', 'membership.tags'])
    .where('membership.account_id', '=', account_id)
    .where(sql<boolean>`${listAlerts.access} = any(membership.permissions)`)
    .execute()
  return [...owners.map(({ id, email }) => ({ person_id: id, email, permissions: 'all' as const, tags: [] })), ...members]
}

/** What events about an alert ask of their readers, beside `notifications.view`. */
export const needsOf = ({ audience, permission }: Pick<About, 'audience' | 'permission'>) =>
  audience === 'owner' ? ownerOnly : (permission ?? '')

/** Whether an alert is theirs to know. `asset_tags`: the tags of the asset it is about. */
export function mayKnow(
  { permissions, tags }: Recipient,
  { audience, permission, asset_id }: About,
  asset_tags: readonly string[]
): boolean {
  if (permissions === 'all') return true
  if (audience === 'owner') return false
  if (permission !== null && !permissions.includes(permission)) return false
  return asset_id === null || tags.length === 0 || tags.some((tag) => asset_tags.includes(tag))
}

export const tagsOf = async (db: Db, account_id: string, asset_id: string | null): Promise<string[]> =>
  asset_id === null
    ? []
    : (
        await db.selectFrom('asset_tag').select('tag_id').where('account_id', '=', account_id).where('asset_id', '=', asset_id).execute()
      ).map(({ tag_id }) => tag_id)
