import type { ApiKey } from '@masthead/contract/developers/api-key'
import { apiKeyDeleted, apiKeyDisabled, apiKeyEnabled } from '@masthead/contract/developers/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getApiKey, getApiKeyForUpdate } from './key-queries.ts'
import { checkGrant } from './may-grant.ts'

/** Switches a key off. Doing it twice changes nothing. */
export async function disableApiKey(tx: Tx, actor: Actor, id: string): Promise<ApiKey> {
  const key = await getApiKeyForUpdate(tx, actor, id)
  if (!key.disabled_at) {
    await setDisabled(tx, actor, id, actor.at)
    await record(tx, actor, apiKeyDisabled, { api_key_id: id, api_key_name: key.name })
  }
  return getApiKey(tx, actor, id)
}

/** Switches a key on again, for whoever could have made it. */
export async function enableApiKey(tx: Tx, actor: Actor, id: string): Promise<ApiKey> {
  const key = await getApiKeyForUpdate(tx, actor, id)
  await checkGrant(tx, actor, key)
  if (key.disabled_at) {
    await setDisabled(tx, actor, id, null)
    await record(tx, actor, apiKeyEnabled, { api_key_id: id, api_key_name: key.name })
  }
  return getApiKey(tx, actor, id)
}

const setDisabled = (tx: Tx, { account_id }: Actor, id: string, disabled_at: Date | null) =>
  tx.updateTable('api_key').set({ disabled_at }).where('account_id', '=', account_id).where('id', '=', id).execute()

/** Ends a key for good, its secrets with it. */
export async function deleteApiKey(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = await getApiKeyForUpdate(tx, actor, id)
  await tx.deleteFrom('api_key').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, apiKeyDeleted, { api_key_id: id, api_key_name: key.name })
}
