import { createHash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../kernel/app.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base 32: no letter looks like a digit
/** 24 letters of 5 bits: with 112 bits or more a plain hash is enough (OWASP ASVS 5, 6.5.2). */
const letters = 24
const recoveryCodeCount = 10

const hashOf = (person_id: string, letter: string) => createHash('sha256').update(`${person_id} ${letter}`).digest()

/** A code as it was made, however it was typed. Null when it cannot be one. */
export function readRecoveryCode(typed: string): string | null {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return plain.length === letters && [...plain].every((letter) => alphabet.includes(letter)) ? plain : null
}

/** Ten new codes; those before are worth nothing. They are shown now and never again: only hashes are kept. */
export async function renewRecoveryCodes(tx: Tx, person_id: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => Array.from(randomBytes(letters), (byte) => alphabet[byte % 32]).join(''))
  await tx.deleteFrom('recovery_code').where('person_id', '=', person_id).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ person_id, code_hash: hashOf(person_id, code) })))
    .execute()
  return codes.map((code) => code.replaceAll(/(.{6})(?=.)/g, '$1-'))
}

/** Whether a code is the person's, used or not: it is `spendRecoveryCode` that counts. */
export async function isRecoveryCode(db: Db, person_id: string, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_code')
    .select('person_id')
    .where('person_id', '=', person_id)
    .where('code_hash', '=', hashOf(person_id, code))
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a code up. False when it was used already. */
export async function spendRecoveryCode(tx: Tx, person_id: string, code: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_code')
    .set({ used_at: at })
    .where('person_id', '=', person_id)
    .where('code_hash', '=', hashOf(person_id, code))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db, person_id: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('person_id', '=', person_id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
