import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppDb } from '../app.ts'
import { getSigningKey } from './signing-key.ts'

/** `key`: the name of the signing key; `prefix`: what the text begins with. */
type Kind = { key: string; prefix?: string }

const code = 'base64url'
const sign = async (db: AppDb, { key, prefix = '' }: Kind, text: string) =>
  createHmac('sha256', await getSigningKey(db, key))
    .update(prefix + text)
    .digest()

/** A text that says `value`, which anybody can read and we alone can make: nothing of it has to be kept. */
export async function makeSigned(db: AppDb, kind: Kind, value: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify(value)).toString(code)
  return `${kind.prefix ?? ''}${text}.${(await sign(db, kind, text)).toString(code)}`
}

/** What such a text says; null where it is none of ours. */
export async function readSigned(db: AppDb, kind: Kind, given: string): Promise<unknown> {
  const { prefix = '' } = kind
  if (!given.startsWith(prefix)) return null
  const [text = '', signature = '', ...more] = given.slice(prefix.length).split('.')
  const said = Buffer.from(signature, code)
  const right = await sign(db, kind, text)
  if (more.length > 0 || said.length !== right.length || !timingSafeEqual(said, right)) return null
  return JSON.parse(Buffer.from(text, code).toString())
}
