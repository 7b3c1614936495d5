import type { ApiKeyOnce, CreateApiKeyBody } from '@masthead/contract/developers/api-key'
import { apiKeyCreated } from '@masthead/contract/developers/events'
import { mostApiKeys, tooManyApiKeys } from '@masthead/contract/developers/problems'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getApiKey } from './key-queries.ts'
import { makeSecret } from './key-secret.ts'
import { checkGrant, lockAccount, readAddresses, readEnd, readTags } from './may-grant.ts'

/** Makes a key that may what is asked for, as long as its maker may it. The secret is in this answer alone. */
export async function createApiKey(tx: Tx, actor: Actor, body: z.output<typeof CreateApiKeyBody>): Promise<ApiKeyOnce> {
  const { name, calls_per_minute } = body
  const addresses = readAddresses(body.addresses)
  const { account_id } = actor
  const scopes = [...new Set(body.scopes)].toSorted()
  const [tags, expires_at] = [await readTags(tx, actor, body.tags), readEnd(actor, body.expires_at)]
  await checkGrant(tx, actor, { scopes, tags, addresses, expires_at, calls_per_minute })
  await lockAccount(tx, actor)
  const { count } = await tx
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (count >= mostApiKeys) throw new Problem(tooManyApiKeys)
  const id = newId('api_key', actor.at.getTime())
  const made = { name, scopes, tags, addresses, expires_at, calls_per_minute }
  await tx
    .insertInto('api_key')
    .values({ ...made, account_id, id, created_by: actor.person_id, created_at: actor.at })
    .execute()
  const { secret, prefix, hash } = makeSecret('mhk')
  await tx.insertInto('api_key_secret').values({ hash, account_id, key_id: id, prefix, created_at: actor.at, expires_at: null }).execute()
  const key = await getApiKey(tx, actor, id)
  await record(tx, actor, apiKeyCreated, {
    api_key_id: id,
    api_key_name: name,
    scopes,
    tags: key.tags.map((tag) => tag.name ?? tag.id),
    addresses,
    expires_at: key.expires_at,
    calls_per_minute,
  })
  return { ...key, secret }
}
