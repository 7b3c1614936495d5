import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem, unavailable } from '@masthead/contract/kernel/problem'
import { limitConcurrency } from '../../kernel/http/concurrency.ts'

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** `memory` in KiB. The lower of OWASP's equivalent settings in memory, as several sign-ins may run beside the database on a small machine. */
const strength = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

// A hash keeps a thread of Node's pool of four and 19 MB busy: file and name look-ups need the other two.
const hashing = limitConcurrency({
  concurrency: 2,
  maxQueued: 200,
  refusal: () => new Problem(unavailable, 'Too many people are signing in at once, try again in a moment', { retryAfter: 2 }),
})

// A hash of nothing anybody knows: an unknown e-mail takes as long as a wrong password.
const decoy = encode({ ...strength, salt: randomBytes(16), tag: randomBytes(tagLength) })

type Strength = { memory: number; passes: number; parallelism: number }
type Encoded = Strength & { salt: Buffer; tag: Buffer }

/** The argon2id hash of a password in PHC string format. Computed off the event loop, some 30 ms. */
export async function hashPassword(password: string, parameters: Strength = strength): Promise<string> {
  const salt = randomBytes(16)
  return encode({ ...parameters, salt, tag: await tagOf(password, salt, parameters, tagLength) })
}

/** Whether a password is right. `stale` when its hash was made with other parameters than today's and should be made again. */
export async function verifyPassword(password: string, stored: string | null): Promise<{ right: boolean; stale: boolean }> {
  const { salt, tag, ...made } = decode(stored ?? decoy)
  const right = timingSafeEqual(await tagOf(password, salt, made, tag.length), tag) && stored !== null
  const stale = made.memory !== strength.memory || made.passes !== strength.passes || made.parallelism !== strength.parallelism
  return { right, stale: right && stale }
}

// The same password typed on another keyboard may come in another Unicode form (NIST SP 800-63B §3.1.1.2).
const tagOf = (password: string, nonce: Buffer, { memory, passes, parallelism }: Strength, length: number) =>
  hashing(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength: length }))

function base64(bytes: Buffer) {
  return bytes.toString('base64').replaceAll('=', '')
}

function encode({ memory, passes, parallelism, salt, tag }: Encoded): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function decode(text: string): Encoded {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text)
  if (!found) throw new Error('A stored password hash has a form we do not know')
  const [memory, passes, parallelism] = found.slice(1, 4).map(Number) as [number, number, number]
  return { memory, passes, parallelism, salt: Buffer.from(found[4]!, 'base64'), tag: Buffer.from(found[5]!, 'base64') }
}
