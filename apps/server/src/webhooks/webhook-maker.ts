import { sql } from 'kysely'
import type { Webhook } from '@masthead/contract/developers/webhook'
import { scopesOf, tagsOf } from '../developers/index.ts'

/** What a webhook hears stands in the activities: whoever answers for it must be able to read those. */
export const hearingScope = 'overview.view'

/** Who answers for a webhook, with what they may at this very moment. */
export type Maker = {
  email: string
  by_owner: boolean
  /** Null: no longer a member. */
  permissions: string[] | null
  tags: string[] | null
  /** The API key it was made with; without `id` it is gone. */
  key: { id: string | null; scopes: string[]; tags: string[]; disabled: boolean; expires_at: string | null } | null
}

/** A column of a query over `webhook`. A key's maker is whoever holds its secret now. */
export const makerOf = sql<Maker>`(select json_build_object('email', p.email, 'by_owner', p.account_id = webhook.account_id,
    'permissions', m.permissions, 'tags', m.tags, 'key', case when webhook.created_key is not null then json_build_object('id', k.id,
    'scopes', k.scopes, 'tags', k.tags, 'disabled', k.disabled_at is not null, 'expires_at', k.expires_at) end)
  from (select 1) one
  left join api_key k on k.account_id = webhook.account_id and k.id = webhook.created_key
  join person p on p.id = coalesce(k.created_by, webhook.created_by)
  left join membership m on m.account_id = webhook.account_id and m.person_id = p.id)`.as('maker')

/** Why a webhook hears nothing any more. */
export type Ended = Extract<Webhook['disabled_because'], `${string}_${string}`>
export const endedWords: Record<Ended, string> = {
  maker_gone: 'Whoever made this webhook is no longer a member of the team',
  maker_limited: 'Whoever made this webhook may no longer read activities',
  key_ended: 'The API key that made this webhook has ended',
}

/** Which assets a webhook hears of (`tags`; none: of all), or why it hears nothing: never more than whoever made it may see now. */
export function hearingOf(tags: readonly string[], maker: Maker, at: Date): { tags: readonly string[] } | { ended: Ended } {
  if (!maker.by_owner && !maker.permissions) return { ended: 'maker_gone' }
  const person = { permissions: maker.by_owner ? ('all' as const) : maker.permissions!, tags: maker.by_owner ? [] : (maker.tags ?? []) }
  if (scopesOf([hearingScope], person).length === 0) return { ended: 'maker_limited' }
  const { key } = maker
  if (!key) return { tags: tagsOf(tags, person) }
  if (key.id === null || key.disabled || (key.expires_at !== null && new Date(key.expires_at) <= at)) return { ended: 'key_ended' }
  if (!key.scopes.includes(hearingScope)) return { ended: 'maker_limited' }
  return { tags: tagsOf(tags, { permissions: key.scopes, tags: tagsOf(key.tags, person) }) }
}
