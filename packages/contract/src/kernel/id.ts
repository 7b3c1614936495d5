const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base 32: sorts as it counts

/** The prefix of each kind of id. */
export const idPrefixes = {
  account: 'acc',
  person: 'usr',
  asset: 'ast',
  sim: 'sim',
  tag: 'tag',
  event: 'evt',
  gateway: 'gtw',
  session: 'ses',
  quarantine: 'qua',
  stay: 'sty',
} as const

export type IdKind = keyof typeof idPrefixes

/** A new prefixed id that sorts by time: `ast_` and 26 characters (48 bits of milliseconds, 80 random bits). */
export function newId(kind: IdKind, now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  const random = crypto.getRandomValues(new Uint8Array(16))
  let tail = ''
  for (const byte of random) tail += alphabet[byte % 32]
  return `${idPrefixes[kind]}_${time}${tail}`
}
