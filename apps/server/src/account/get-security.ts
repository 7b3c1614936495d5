import type { Passkey, Security } from '@masthead/contract/account/security-operations'
import { endedWords } from '@masthead/contract/auth/ended-access'
import { earlierAccessEnded } from '@masthead/contract/auth/events'
import { proofCounts, providerProofCounts } from '../auth/index.ts'
import { countRecoveryCodes, findAuthenticator } from '../factors/index.ts'
import type { Actor, App, Db } from '../kernel/app.ts'

/** How a person proves who they are. Of the person, whatever account they act on. */
export async function getSecurity({ db, config }: Pick<App, 'db' | 'config'>, actor: Actor): Promise<Security> {
  const { person_id, at } = actor
  const person = await db
    .selectFrom('person')
    .select(['email', 'name', 'password_hash', 'account_id', 'email_proven_at'])
    .where('id', '=', person_id)
    .executeTakeFirstOrThrow()
  const since = await findAuthenticator(db, person_id)
  const proved = await findProofs(db, actor)
  const { name: provider } = config.integrations.identity ?? {}
  const vouches = provider !== undefined && person.password_hash === null && (await isLinked(db, person_id))
  return {
    email: person.email,
    email_proven: person.email_proven_at !== null,
    earlier_access_ended: await findEarlierAccess(db, person.account_id, at),
    name: person.name,
    has_password: person.password_hash !== null,
    email_change: await findEmailChange(db, person_id, at),
    authenticator: since && { since: since.toISOString(), recovery_codes_left: await countRecoveryCodes(db, person_id) },
    passkeys: await listPasskeys(db, person_id),
    provider_proof: vouches ? { name: provider, until: proved.provider_until } : null,
    proved_until: proved.proved_until,
    staff_second_factor: config.staffSecondFactor,
  }
}

const shownFor = 30 * 86_400_000 // ms

async function findEarlierAccess(db: Db, account_id: string, now: Date) {
  const [category = '', action = ''] = earlierAccessEnded.name.split('.')
  const row = await db
    .selectFrom('event')
    .select(['at', 'detail'])
    .where('account_id', '=', account_id)
    .where('category', '=', category)
    .where('action', '=', action)
    .where('at', '>', new Date(now.getTime() - shownFor))
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row ? { at: row.at.toISOString(), words: endedWords(earlierAccessEnded.detail.parse(row.detail)) } : null
}

/** Until when what was proved in this session counts. */
async function findProofs(db: Db, { session_id, at }: Actor) {
  const session = await db
    .selectFrom('session')
    .select(['proved_at', 'vouched_at', 'vouched_spent'])
    .where('id', '=', session_id ?? '')
    .executeTakeFirst()
  const until = (proved: Date | null | undefined, counts: number) =>
    proved && proved.getTime() + counts > at.getTime() ? new Date(proved.getTime() + counts).toISOString() : null
  return {
    proved_until: until(session?.proved_at, proofCounts),
    provider_until: session?.vouched_spent ? null : until(session?.vouched_at, providerProofCounts),
  }
}

const isLinked = async (db: Db, person_id: string) =>
  (await db.selectFrom('identity').select('id').where('person_id', '=', person_id).executeTakeFirst()) !== undefined

async function findEmailChange(db: Db, person_id: string, at: Date) {
  const row = await db
    .selectFrom('one_time_secret')
    .select(['email', 'expires_at'])
    .where('person_id', '=', person_id)
    .where('purpose', '=', 'email_change')
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row ? { email: row.email!, expires_at: row.expires_at.toISOString() } : null
}

export async function listPasskeys(db: Db, person_id: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'synced', 'created_at', 'last_used_at'])
    .where('person_id', '=', person_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }))
}
