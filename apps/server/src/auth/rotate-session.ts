import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { hashSecret, sessionCookie } from './authenticate.ts'
import { setSessionCookie } from './cookies.ts'

type Secret = { secret: string; expires_at: Date }

/** What the answer to a request is to hand to the browser. */
const rotated = new WeakMap<FastifyRequest, Secret>()

/**
 * Gives the session of a request another secret, since what it may do, or what was proved in it, has changed; a good answer brings it
 * (bringRotated). The secret presented still counts for half a minute, as requests are on their way with it, unless `at_once` (a password
 * that others may know). Null when the session is gone.
 */
export async function rotateSession(
  tx: Tx,
  { request, actor: { session_id, at } }: { request: FastifyRequest; actor: Pick<Actor, 'session_id' | 'at'> },
  { at_once = false } = {}
): Promise<Secret | null> {
  const secret = randomBytes(32).toString('base64url')
  const row = await tx
    .updateTable('session')
    .set({ id_hash: hashSecret(secret), replaced_hash: at_once ? null : hashSecret(request.cookies[sessionCookie] ?? ''), replaced_at: at })
    .where('id', '=', session_id ?? '')
    .returning('expires_at')
    .executeTakeFirst()
  if (!row) return null
  rotated.set(request, { secret, ...row })
  return { secret, ...row }
}

/** Puts new secrets of sessions into the answers of calls. What failed was undone, and the secret with it. */
export function bringRotated(server: FastifyInstance, app: App) {
  server.addHook('preSerialization', async (request, reply, payload) => {
    const session = rotated.get(request)
    if (session && reply.statusCode < 400) setSessionCookie({ app, request, reply }, session)
    return payload
  })
}
