import { createApiKey } from '../developers/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'

const day = 86_400_000

/** Two keys of the owner, whose secrets nobody knows: one that is limited in every way, one that has come to its end. */
export async function writeDemoKeys(tx: Tx, owner: { account_id: string; person_id: string; email: string; tag_id: string }, now: Date) {
  const actor = (daysAgo: number): Actor => ({
    kind: 'member',
    email: owner.email,
    person_id: owner.person_id,
    account_id: owner.account_id,
    permissions: 'all',
    staff: [],
    tags: [],
    at: new Date(now.getTime() - daysAgo * day),
    ip: null,
    request_id: null,
  })
  await createApiKey(tx, actor(47), {
    name: 'Migration from the old system',
    scopes: ['assets.edit', 'assets.register', 'assets.view'],
    tags: [],
    addresses: [],
    expires_at: new Date(now.getTime() - 17 * day).toISOString(),
    calls_per_minute: 600,
  })
  await createApiKey(tx, actor(12), {
    name: 'Cold-chain dashboard',
    scopes: ['assets.view', 'usage.view'],
    tags: [owner.tag_id],
    addresses: ['198.51.100.0/24', '2001:db8:40::/48'],
    expires_at: new Date(now.getTime() + 353 * day).toISOString(),
    calls_per_minute: 120,
  })
}
