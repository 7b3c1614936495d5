import { isIP } from 'node:net'
import { apiKeyBeyondYou } from '@masthead/contract/developers/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { actorMay, type Actor, type Tx } from '../kernel/app.ts'
import { getTagsByWord } from '../tags/index.ts'
import { coversTags } from '../teams/index.ts'
import { addressesWithin } from './key-rights.ts'
import type { Permission } from '@masthead/contract/kernel/permission'

/** What a key is to have. */
export type Grant = {
  scopes: readonly string[]
  tags: readonly string[]
  addresses: readonly string[]
  expires_at: Date | null
  calls_per_minute: number
}

/**
 * Nobody hands out more than they have: neither a member nor a key that makes keys. That goes for changing, rotating and enabling too,
 * which give whoever does it a secret, or a key its rights back.
 */
export async function checkGrant(tx: Tx, actor: Actor, { scopes, tags, addresses, expires_at, calls_per_minute }: Grant): Promise<void> {
  const beyond = scopes.find((scope) => !actorMay(actor, scope as Permission))
  if (beyond) throw refusal('scopes', `You do not have the permission ${beyond} yourself`)
  if (!coversTags(actor.tags, tags)) throw refusal('tags', 'Your access is limited to some tags: limit the key to some of those')
  if (!actor.key) return
  const own = await tx
    .selectFrom('api_key')
    .select(['addresses', 'expires_at', 'calls_per_minute'])
    .where('account_id', '=', actor.account_id)
    .where('id', '=', actor.key.id)
    .executeTakeFirstOrThrow()
  if (!addressesWithin(addresses, own.addresses))
    throw refusal('addresses', 'The key you call with is limited to addresses: stay within them')
  if (own.expires_at && (!expires_at || expires_at > own.expires_at)) throw refusal('expires_at', 'The key you call with ends before that')
  if (calls_per_minute > own.calls_per_minute) {
    throw refusal('calls_per_minute', `The key you call with may make ${own.calls_per_minute} calls a minute: ask for no more than that`)
  }
}

const refusal = (field: string, words: string) => new Problem(apiKeyBeyondYou, words, { fields: { [field]: words } })

/** The ids of tags given by id or name. A limited member who names none gives the key their own limit. */
export async function readTags(tx: Tx, actor: Actor, words: readonly string[]): Promise<string[]> {
  const tags = (await getTagsByWord(tx, actor, words)).map((tag) => tag.tag_id)
  return tags.length === 0 ? [...actor.tags] : tags
}

/** Addresses and ranges as they are checked against, each once; what is none is a mistake. */
export function readAddresses(addresses: readonly string[]): string[] {
  const wrong = addresses.findIndex((range) => {
    const [address, bits] = range.split('/') as [string, string?]
    const family = isIP(address)
    return family === 0 || (bits !== undefined && Number(bits) > (family === 4 ? 32 : 128))
  })
  if (wrong === -1) return [...new Set(addresses)]
  const words = `${addresses[wrong]} is no address and no range`
  throw new Problem(invalidRequest, words, { fields: { addresses: words } })
}

/** An end in the past would be a key that never worked. */
export function readEnd(actor: Actor, expires_at: string | null): Date | null {
  if (expires_at === null) return null
  const end = new Date(expires_at)
  if (end <= actor.at)
    throw new Problem(invalidRequest, 'Choose an expiry in the future', { fields: { expires_at: 'Choose an expiry in the future' } })
  return end
}

/** One at a time on an account, so that no limit is run over. */
export const lockAccount = (tx: Tx, { account_id }: Actor) =>
  tx
    .selectFrom('account')
    .select(sql`1`.as('one'))
    .where('id', '=', account_id)
    .forNoKeyUpdate()
    .execute()
