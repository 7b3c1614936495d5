import { sql, type RawBuilder } from 'kysely'
import type { Actor, Db } from '../kernel/app.ts'
import { scopesOf, tagsOf, withinAddresses, type MakerRights } from './key-rights.ts'

/** Who answers for something that goes on without them, as they stand at this very moment. */
export type Standing = {
  email: string
  by_owner: boolean
  /** Null: no longer a member. */
  permissions: string[] | null
  tags: string[] | null
  /** The API key they came with; without `id` it is gone. */
  key: { id: string | null; scopes: string[]; tags: string[]; disabled: boolean; expires_at: string | null } | null
}

/** A value of a query: the standing of a person on an account, by the key they came with if that is not null. A key's person is whoever holds its secret now. */
export const standingOf = (account_id: unknown, person_id: unknown, key_id: unknown): RawBuilder<Standing> =>
  sql`(select json_build_object('email', p.email, 'by_owner', p.account_id = asked.account_id,
    'permissions', m.permissions, 'tags', tags_there(m.account_id, m.tags), 'key', case when asked.key_id is not null then json_build_object('id', k.id,
    'scopes', k.scopes, 'tags', tags_there(k.account_id, k.tags), 'disabled', k.disabled_at is not null, 'expires_at', k.expires_at) end)
  from (select ${account_id}::text as account_id, ${person_id}::text as person_id, ${key_id}::text as key_id) asked
  left join api_key k on k.account_id = asked.account_id and k.id = asked.key_id
  join person p on p.id = coalesce(k.created_by, asked.person_id)
  left join membership m on m.account_id = asked.account_id and m.person_id = p.id)`

/** What they may and see now, or why nothing any more. */
export function rightsOf({ by_owner, permissions, tags, key }: Standing, at: Date): MakerRights | 'person_gone' | 'key_ended' {
  if (!by_owner && !permissions) return 'person_gone'
  const person = { permissions: by_owner ? ('all' as const) : permissions!, tags: by_owner ? [] : (tags ?? []) }
  if (!key) return person
  if (key.id === null || key.disabled || (key.expires_at !== null && new Date(key.expires_at) <= at)) return 'key_ended'
  return { permissions: scopesOf(key.scopes, person), tags: tagsOf(key.tags, person) }
}

/** Whether a call by the secret and from the address that somebody came with would be let in now. Says nothing of the key's rights. */
export async function secretStillCounts(
  db: Db,
  { account_id, key, ip }: Pick<Actor, 'account_id' | 'key' | 'ip'>,
  at: Date
): Promise<boolean> {
  if (!key) return true
  const secrets = await db
    .selectFrom('api_key')
    .innerJoin('api_key_secret as secret', (join) =>
      join.onRef('secret.account_id', '=', 'api_key.account_id').onRef('secret.key_id', '=', 'api_key.id')
    )
    .select(['api_key.addresses', 'secret.expires_at'])
    .where('api_key.account_id', '=', account_id)
    .where('api_key.id', '=', key.id)
    .$if(key.prefix !== undefined, (query) => query.where('secret.prefix', '=', key.prefix!))
    .execute()
  return secrets.some(
    ({ addresses, expires_at }) =>
      (expires_at === null || expires_at > at) && (addresses.length === 0 || (ip !== null && withinAddresses(ip, addresses)))
  )
}
