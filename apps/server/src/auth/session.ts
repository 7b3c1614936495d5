import { randomBytes } from 'node:crypto'
import type { Tx } from '../kernel/app.ts'
import { hashSecret } from './authenticate.ts'

type NewSession = { person_id: string; acting_as: string | null; at: Date; days: number; ip: string | null; user_agent: string | null }

/** Opens a session: 256 random bits for the cookie, only their hash is kept. */
export async function openSession(tx: Tx, { days, at, ...who }: NewSession): Promise<{ secret: string; expires_at: Date }> {
  const secret = randomBytes(32).toString('base64url')
  const expires_at = new Date(at.getTime() + days * 86_400_000)
  await tx
    .insertInto('session')
    .values({ ...who, id_hash: hashSecret(secret), created_at: at, seen_at: at, expires_at })
    .execute()
  return { secret, expires_at }
}

/** Ends a session; its secret is worth nothing from now on. */
export async function closeSession(tx: Tx, secret: string): Promise<void> {
  await tx.deleteFrom('session').where('id_hash', '=', hashSecret(secret)).execute()
}
