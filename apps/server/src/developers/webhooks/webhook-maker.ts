import { sql } from 'kysely'
import { listActivities } from '@masthead/contract/activities/operations'
import type { Webhook } from '@masthead/contract/developers/webhook'
import { keyScopeOf } from '@masthead/contract/kernel/operation'
import type { Permission } from '@masthead/contract/kernel/permission'
import type { Reader } from '../../activities/index.ts'
import { rightsOf, scopesOf, standingOf, tagsOf, type Standing } from '../index.ts'

/** What a webhook sends stands in the activities: whoever answers for it must hold what a key reads them by, and reads just what it sends. */
export const hearingScope = keyScopeOf(listActivities) as Permission

/** A column of a query over `webhook`: who answers for it. */
export const makerOf = standingOf(sql.ref('webhook.account_id'), sql.ref('webhook.created_by'), sql.ref('webhook.created_key')).as('maker')

/** Why a webhook sends nothing any more. */
export type Ended = Extract<Webhook['disabled_because'], `${string}_${string}`>
export const endedWords: Record<Ended, string> = {
  maker_gone: 'The creator of this webhook is no longer a member of the team',
  maker_limited: 'The creator of this webhook may no longer see activities',
  key_ended: 'The API key that created this webhook has ended',
}

/** What a webhook sends (`tags`: of these assets; none: of all), or why it sends nothing: never more than whoever made it may read now. */
export function receivedBy(tags: readonly string[], maker: Standing, at: Date): Omit<Reader, 'account_id'> | { ended: Ended } {
  const now = rightsOf(maker, at)
  if (now === 'person_gone') return { ended: 'maker_gone' }
  if (now === 'key_ended') return { ended: now }
  if (scopesOf([hearingScope], now).length === 0) return { ended: 'maker_limited' }
  // What its maker does elsewhere is not for a webhook that was made for some tags.
  const own = maker.key || tags.length > 0 ? null : maker.email
  return { permissions: now.permissions, tags: tagsOf(tags, now), own }
}
