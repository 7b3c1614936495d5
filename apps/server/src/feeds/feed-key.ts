import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { feedKeyUnknown } from '@masthead/contract/usage/problems'
import type { Actor, Db } from '../kernel/app.ts'

/** A new key: `mhf_`, 8 letters to know it by, and 256 random bits that make it secret. */
export function makeFeedKey(): { key: string; prefix: string; hash: Buffer } {
  const prefix = `mhf_${randomBytes(6).toString('base64url').replaceAll(/[-_]/g, '0')}`
  const key = `${prefix}_${randomBytes(32).toString('base64url')}`
  return { key, prefix, hash: hashFeedKey(key) }
}

/** Its 256 random bits need no slow hash. */
const hashFeedKey = (key: string) => createHash('sha256').update(key).digest()

export type KnownFeed = { id: string; name: string }

/** The feed whose key a request brings. Throws feed_key_unknown, in words where it is switched off. */
export async function feedOf(db: Db, request: FastifyRequest): Promise<KnownFeed> {
  const key = request.headers['x-feed-key']
  const feed =
    typeof key === 'string'
      ? await db.selectFrom('feed').select(['id', 'name', 'disabled_at']).where('key_hash', '=', hashFeedKey(key)).executeTakeFirst()
      : undefined
  if (!feed) throw new Problem(feedKeyUnknown)
  if (feed.disabled_at) throw new Problem(feedKeyUnknown, `The feed ${feed.name} is switched off`)
  return { id: feed.id, name: feed.name }
}

/** Who asks with the key of a feed: no person, but somebody whose requests are repeated as their own and nobody else's. */
export const actorOf = (feed: KnownFeed, { at, ip, request_id }: Actor): Actor => ({
  kind: 'system',
  email: 'system',
  person_id: feed.id,
  account_id: '',
  permissions: [],
  staff: [],
  tags: [],
  at,
  ip,
  request_id,
})
