import type { ApiKeyOnce } from '@masthead/contract/developers/api-key'
import { apiKeyRotated } from '@masthead/contract/developers/events'
import { apiKeyExpired } from '@masthead/contract/developers/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getApiKey, getApiKeyForUpdate } from './key-queries.ts'
import { makeSecret } from './key-secret.ts'
import { checkGrant } from './may-grant.ts'

/** Gives a key a new secret; the one before works on for `overlap_hours`, and one before that ends now. */
export async function rotateApiKey(tx: Tx, actor: Actor, id: string, { overlap_hours }: { overlap_hours: number }): Promise<ApiKeyOnce> {
  const key = await getApiKeyForUpdate(tx, actor, id)
  await checkGrant(tx, actor, key)
  if (key.expires_at && key.expires_at <= actor.at) throw new Problem(apiKeyExpired)
  const { account_id, at } = actor
  const secrets = () => tx.selectFrom('api_key_secret').where('account_id', '=', account_id).where('key_id', '=', id)
  const current = await secrets().select('hash').where('expires_at', 'is', null).executeTakeFirstOrThrow()
  await tx
    .deleteFrom('api_key_secret')
    .where('account_id', '=', account_id)
    .where('key_id', '=', id)
    .$if(overlap_hours > 0, (old) => old.where('hash', '<>', current.hash))
    .execute()
  const expires_at = new Date(at.getTime() + overlap_hours * 3_600_000)
  await tx.updateTable('api_key_secret').set({ expires_at }).where('hash', '=', current.hash).execute()
  const { secret, prefix, hash } = makeSecret('mhk')
  await tx.insertInto('api_key_secret').values({ hash, account_id, key_id: id, prefix, created_at: at, expires_at: null }).execute()
  // Whoever has the new secret answers for the key from now on: it ends with their rights, not with those of whoever made it.
  const taken = { rotated_at: at, created_by: actor.person_id }
  await tx.updateTable('api_key').set(taken).where('account_id', '=', account_id).where('id', '=', id).execute()
  await record(tx, actor, apiKeyRotated, { api_key_id: id, api_key_name: key.name, overlap_hours })
  return { ...(await getApiKey(tx, actor, id)), secret }
}
