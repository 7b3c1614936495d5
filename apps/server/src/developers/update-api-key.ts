import type { ApiKey, UpdateApiKeyBody } from '@masthead/contract/developers/api-key'
import { apiKeyUpdated } from '@masthead/contract/developers/events'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getApiKey, getApiKeyForUpdate } from './key-queries.ts'
import { checkGrant, readAddresses, readEnd, readTags } from './may-grant.ts'

/** Changes a key's name, rights or limits, for whoever could have made it as it was and as it becomes. */
export async function updateApiKey(tx: Tx, actor: Actor, id: string, body: z.output<typeof UpdateApiKeyBody>): Promise<ApiKey> {
  const key = await getApiKeyForUpdate(tx, actor, id)
  await checkGrant(tx, actor, key)
  const before = await getApiKey(tx, actor, id)
  const changed = {
    name: body.name ?? key.name,
    scopes: body.scopes ? [...new Set(body.scopes)].toSorted() : key.scopes,
    tags: body.tags ? await readTags(tx, actor, body.tags) : key.tags,
    addresses: body.addresses ? readAddresses(body.addresses) : key.addresses,
    expires_at: body.expires_at === undefined ? key.expires_at : readEnd(actor, body.expires_at),
    calls_per_minute: body.calls_per_minute ?? key.calls_per_minute,
  }
  await checkGrant(tx, actor, changed)
  await tx.updateTable('api_key').set(changed).where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  const after = await getApiKey(tx, actor, id)
  if (JSON.stringify(before) !== JSON.stringify(after))
    await record(tx, actor, apiKeyUpdated, {
      api_key_id: id,
      api_key_name: after.name,
      old_name: before.name,
      new_name: after.name,
      before: grantOf(before),
      after: grantOf(after),
    })
  return after
}

const grantOf = ({ scopes, tags, addresses, expires_at, calls_per_minute }: ApiKey) => ({
  scopes,
  tags: tags.map((tag) => tag.name ?? tag.id),
  addresses,
  expires_at,
  calls_per_minute,
})
