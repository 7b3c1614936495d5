import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../kernel/app.ts'
import type { SecretPurpose } from './tables.ts'

type NewSecret = { purpose: SecretPurpose; person_id?: string | null; email?: string | null; at: Date; seconds: number }
export type KnownSecret = { person_id: string | null; email: string | null; created_at: Date }

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Makes a secret that is good for one thing, once, for so many seconds: 256 random bits in base64url. Only its hash is kept. */
export async function issueSecret(tx: Tx, { purpose, person_id = null, email = null, at, seconds }: NewSecret): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await tx
    .insertInto('one_time_secret')
    .values({
      secret_hash: hashOf(secret),
      purpose,
      person_id,
      email,
      created_at: at,
      expires_at: new Date(at.getTime() + seconds * 1000),
    })
    .execute()
  return secret
}

/** What a secret stands for; null when it is unknown or its time is over. Also when used: it is `spendSecret` that counts. */
export async function findSecret(db: Db, purpose: SecretPurpose, secret: string, at: Date): Promise<KnownSecret | null> {
  const row = await db
    .selectFrom('one_time_secret')
    .select(['person_id', 'email', 'created_at'])
    .where('secret_hash', '=', hashOf(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return row ?? null
}

/** Uses a secret up; null when it is unknown, over or used already: of two at once, one gets it. */
export async function spendSecret(tx: Tx, purpose: SecretPurpose, secret: string, at: Date): Promise<KnownSecret | null> {
  const row = await tx
    .updateTable('one_time_secret')
    .set({ used_at: at })
    .where('secret_hash', '=', hashOf(secret))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .where('used_at', 'is', null)
    .returning(['person_id', 'email', 'created_at'])
    .executeTakeFirst()
  return row ?? null
}

/** Takes every unused secret of a kind back from a person: links that were mailed, sign-ins half done. */
export const withdrawSecrets = (tx: Tx, person_id: string, purposes: readonly SecretPurpose[]) =>
  tx
    .deleteFrom('one_time_secret')
    .where('person_id', '=', person_id)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()
