import type { Passkey, Security } from '@masthead/contract/account/security-operations'
import { countRecoveryCodes, findAuthenticator } from '../factors/index.ts'
import type { Actor, Db } from '../kernel/app.ts'

/** How a person proves who they are. Of the person, whatever account they act on. */
export async function getSecurity(db: Db, { person_id, at }: Actor): Promise<Security> {
  const person = await db.selectFrom('person').select(['email', 'password_hash']).where('id', '=', person_id).executeTakeFirstOrThrow()
  const since = await findAuthenticator(db, person_id)
  return {
    email: person.email,
    has_password: person.password_hash !== null,
    email_change: await findEmailChange(db, person_id, at),
    authenticator: since && { since: since.toISOString(), recovery_codes_left: await countRecoveryCodes(db, person_id) },
    passkeys: await listPasskeys(db, person_id),
  }
}

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
