const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford base 32: sorts as it counts

/** The prefix of each kind of id. */
export const idPrefixes = {
  account: 'acc',
  person: 'usr',
  asset: 'ast',
  sim: 'sim',
  tag: 'tag',
  alert: 'alr',
  event: 'evt',
  gateway: 'gtw',
  gateway_address: 'gad',
  session: 'ses',
  quarantine: 'qua',
  stay: 'sty',
  staff_log: 'aud',
  note: 'nte',
  api_key: 'key',
  webhook: 'whk',
  delivery: 'dlv',
  mail: 'mai',
  identity: 'idn',
  passkey: 'psk',
  bulk: 'blk',
  enforcement: 'enf',
  limit: 'lim',
  correction: 'cor',
} as const

/** A kind of id that an area declares beside the row that has it. */
type OwnKind = { readonly prefix: string }
export type IdKind = keyof typeof idPrefixes | OwnKind

const taken = new Set<string>(Object.values(idPrefixes))
/** Three letters of its own. Throws where another kind has them. */
export function idKind(prefix: string): OwnKind {
  if (taken.has(prefix)) throw new Error(`Another kind of id begins with ${prefix}_`)
  taken.add(prefix)
  return { prefix }
}

/** The last tail of each of the milliseconds asked for lately: requests that run beside each other each name their own time. */
const tails = new Map<number, Uint8Array>()
const kept = 256

/** A new prefixed id that sorts by time: `ast_` and 26 characters (48 bits of milliseconds, 80 random bits). Within a millisecond they count up. */
export function newId(kind: IdKind, now: number = Date.now()): string {
  let time = ''
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  const before = tails.get(now)
  const tail = before ? following(before) : randomTail()
  tails.delete(now)
  tails.set(now, tail)
  if (tails.size > kept) tails.delete(tails.keys().next().value!)
  const prefix = typeof kind === 'string' ? idPrefixes[kind] : kind.prefix
  return `${prefix}_${time}${Array.from(tail, (digit) => alphabet[digit]).join('')}`
}

/** What ids of a kind begin with that are of a time or later, so that a key by id finds a span of time. Ids of before 1970 there are none. */
export const firstIdAt = (kind: IdKind, at: number): string => newId(kind, Math.max(0, at)).slice(0, 'abc_'.length + 10)

/** Its highest digit starts in the lower half, so that counting up never runs out. */
const randomTail = () => crypto.getRandomValues(new Uint8Array(16)).map((byte, place) => byte % (place === 0 ? 16 : 32))

function following(tail: Uint8Array) {
  const next = tail.slice()
  for (let place = next.length - 1; place >= 0; place--) {
    next[place] = (next[place]! + 1) % 32
    if (next[place] !== 0) break
  }
  return next
}
