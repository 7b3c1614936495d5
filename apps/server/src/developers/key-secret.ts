import { createHash, randomInt } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const word = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** The secret of a new key: `mhk_`, 8 letters to know it by, and 43 (256 random bits) that make it secret. One word for a double click. */
export function makeSecret(kind: 'mhk' | 'mhr'): { secret: string; prefix: string; hash: Buffer } {
  const prefix = `${kind}_${word(8)}`
  const secret = `${prefix}_${word(43)}`
  return { secret, prefix, hash: hashKeySecret(secret) }
}

/** Its 256 random bits need no slow hash. */
export const hashKeySecret = (secret: string) => createHash('sha256').update(secret).digest()
