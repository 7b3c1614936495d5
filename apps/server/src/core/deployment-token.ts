import { createHash, randomInt } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token: `mhd_` and 43 letters (256 random bits). One word for a double click. Its hash alone is kept. */
export function makeDeploymentToken(): { token: string; token_end: string; hash: Buffer } {
  const token = `mhd_${Array.from({ length: 43 }, () => letters[randomInt(letters.length)]).join('')}`
  return { token, token_end: token.slice(-4), hash: hashDeploymentToken(token) }
}

/** Its 256 random bits need no slow hash. */
export const hashDeploymentToken = (token: string) => createHash('sha256').update(token).digest()
