import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../kernel/app.ts'
import { seal, unseal } from '../kernel/seal.ts'
import { getSigningKey } from '../kernel/signing-key.ts'

/** A new signing secret: `whsec_` and 32 random bytes as base64, as Standard Webhooks has it. */
export const makeWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const word = async (db: Db) => (await getSigningKey(db, 'webhooks')).toString('base64url')

/** A secret as it is kept: sealed with a key of this installation, since it is needed again for each signature. */
export const sealSecret = async (db: Db, secret: string) => seal(await word(db), secret)
export const unsealSecret = async (db: Db, sealed: string) => unseal(await word(db), sealed)

/**
 * The headers that prove who sent a body and when (Standard Webhooks): HMAC-SHA256 over `id.timestamp.body`, one signature per secret,
 * so that during a rotation either secret finds its own.
 */
export function signedHeaders({ id, at, body, secrets }: { id: string; at: Date; body: string; secrets: readonly string[] }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
