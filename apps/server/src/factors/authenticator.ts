import { Secret, TOTP } from 'otpauth'
import { authenticatorOn } from '@masthead/contract/account/security-operations'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Db, Tx, WriteDb } from '../kernel/app.ts'
import { decrypt } from '../kernel/secrets/encrypt.ts'
import { isEncrypted, type Keyed } from '../kernel/secrets/secret-keys.ts'
import { getSigningKey } from '../kernel/secrets/signing-key.ts'

const period = 30 // seconds (RFC 6238 §5.2)
/** How long a new authenticator waits for its first code. */
const startedFor = 15 * 60_000 // ms

const totpOf = (secret: Secret, label = '') => new TOTP({ issuer: 'Masthead', label, secret, digits: 6, period, algorithm: 'SHA1' })

const placeOf = (person_id: string) => `authenticator ${person_id}`
/** The secret (base32) as it was, also one from before keys came from outside the database. */
export const decryptAuthenticatorSecret = async (db: WriteDb, person_id: string, kept: string) =>
  isEncrypted(kept)
    ? db.keys.decrypt(placeOf(person_id), kept)
    : decrypt((await getSigningKey(db, 'authenticator')).toString('base64url'), kept)
/** As it is kept. */
export const encryptAuthenticatorSecret = ({ keys }: Keyed, person_id: string, secret: string) => keys.encrypt(placeOf(person_id), secret)

/** Begins an authenticator app for a person: its secret (base32) and the address its QR code says. Nobody is asked for it before it is confirmed. Throws authenticator_on. */
export async function startAuthenticator(tx: Tx, { person_id, email, at }: { person_id: string; email: string; at: Date }) {
  const secret = new Secret({ size: 20 })
  const sealed_secret = encryptAuthenticatorSecret(tx, person_id, secret.base32)
  const again = { sealed_secret, started_at: at, last_step: 0 }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('authenticator')
    .values({ person_id, sealed_secret, started_at: at, confirmed_at: null })
    // One that was confirmed meanwhile stays as it is.
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(again).where('authenticator.confirmed_at', 'is', null))
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new Problem(authenticatorOn)
  return { secret: secret.base32, uri: totpOf(secret, email).toString() }
}

/** When the authenticator in use was confirmed; null when there is none. */
export async function findAuthenticator(db: Db, person_id: string): Promise<Date | null> {
  const row = await db.selectFrom('authenticator').select('confirmed_at').where('person_id', '=', person_id).executeTakeFirst()
  return row?.confirmed_at ?? null
}

/** The time step that a code is of, the one before and the one after being good too; null for a wrong code. `started`: of one not confirmed yet. */
export async function stepOf(
  db: WriteDb,
  { person_id, code, at, started = false }: { person_id: string; code: string; at: Date; started?: boolean }
): Promise<number | null> {
  const row = await db
    .selectFrom('authenticator')
    .select(['sealed_secret', 'started_at', 'confirmed_at'])
    .where('person_id', '=', person_id)
    .executeTakeFirst()
  if (!row || (row.confirmed_at === null) !== started) return null
  if (started && at.getTime() - row.started_at.getTime() > startedFor) return null
  const secret = Secret.fromBase32(await decryptAuthenticatorSecret(db, person_id, row.sealed_secret))
  const delta = totpOf(secret).validate({ token: code, timestamp: at.getTime(), window: 1 })
  return delta === null ? null : Math.floor(at.getTime() / 1000 / period) + delta
}

/** Uses a code up: none of its step or of an earlier one counts again. False when one of them was used already. */
export async function spendStep(tx: Tx, person_id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('authenticator')
    .set({ last_step: step })
    .where('person_id', '=', person_id)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** From now on its codes are asked for. */
export const confirmAuthenticator = (tx: Tx, person_id: string, at: Date) =>
  tx.updateTable('authenticator').set({ confirmed_at: at }).where('person_id', '=', person_id).execute()

/** Forgets the authenticator and the recovery codes that stand in for it. */
export async function dropAuthenticator(tx: Tx, person_id: string): Promise<void> {
  await tx.deleteFrom('authenticator').where('person_id', '=', person_id).execute()
  await tx.deleteFrom('recovery_code').where('person_id', '=', person_id).execute()
}
