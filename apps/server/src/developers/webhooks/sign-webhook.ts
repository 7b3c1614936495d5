import { createHmac, randomBytes } from 'node:crypto'
import type { WriteDb } from '../../kernel/app.ts'
import { decrypt } from '../../kernel/secrets/encrypt.ts'
import { isEncrypted, type Keyed } from '../../kernel/secrets/secret-keys.ts'
import { getSigningKey } from '../../kernel/secrets/signing-key.ts'

/** A new signing secret: `whsec_` and 32 random bytes as base64, as Standard Webhooks has it. */
export const makeWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const placeOf = (id: string) => `webhook ${id}`

/** A webhook's secret as it is kept: encrypted, since it is needed again for each signature. */
export const encryptWebhookSecret = ({ keys }: Keyed, id: string, secret: string) => keys.encrypt(placeOf(id), secret)
/** It again, also one from before keys came from outside the database. */
export const decryptWebhookSecret = async (db: WriteDb, id: string, kept: string) =>
  isEncrypted(kept) ? db.keys.decrypt(placeOf(id), kept) : decrypt((await getSigningKey(db, 'webhooks')).toString('base64url'), kept)

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
