import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor, App, Tx, WriteDb } from '../../kernel/app.ts'
import { getSigningKey, makeSigningKeyEarly } from '../../kernel/secrets/signing-key.ts'
import { cookieOf, hashSecret, sessionCookie } from '../../kernel/secrets/presented-secret.ts'
import { setSessionCookie } from './cookies.ts'

const keyName = 'session'

type Secret = { secret: string; expires_at: Date }

/** What the answer to a request is to hand to the browser. */
const rotated = new WeakMap<FastifyRequest, Secret>()

/** The session's secret that takes the place of another secret: always the same. */
export async function secretAfter(db: WriteDb, before: string) {
  const secret = createHmac('sha256', await getSigningKey(db, keyName))
    .update(before)
    .digest('base64url')
  return { secret, presented: hashSecret(before), next: hashSecret(secret) }
}
const nextOf = (db: WriteDb, request: FastifyRequest) => secretAfter(db, cookieOf(request, sessionCookie) ?? '')

/** When a secret was replaced that does not count for half a minute more: it is kept to know a repeated request by. */
export const atOnce = new Date(0)

/**
 * Gives the session of a request another secret, since what it may do, or what was proved in it, has changed; a good answer brings it
 * (bringRotated). The secret presented still counts for half a minute, as requests are on their way with it, unless `at_once` (a password
 * that others may know). Two at once get the same, as nobody can say whose answer the browser reads last. Null when what was presented is
 * worth nothing any more, or was replaced before it came: whoever has only that is not to win what took its place (handOn).
 */
export async function rotateSession(
  tx: Tx,
  { request, actor: { session_id, at } }: { request: FastifyRequest; actor: Pick<Actor, 'session_id' | 'at'> },
  { at_once = false } = {}
): Promise<Secret | null> {
  const { secret, presented, next } = await nextOf(tx, request)
  const row = await tx
    .updateTable('session')
    .set({
      id_hash: next,
      replaced_hash: presented,
      // Asking again and again does not make the half minute longer.
      replaced_at: at_once ? atOnce : sql`case when id_hash = ${next} then replaced_at else ${at} end`,
    })
    .where('id', '=', session_id ?? '')
    .where((eb) =>
      eb.or([
        eb('id_hash', '=', presented),
        eb.and([eb('replaced_hash', '=', presented), at_once ? eb.lit(true) : eb('replaced_at', '>=', at)]),
      ])
    )
    .returning('expires_at')
    .executeTakeFirst()
  if (!row) return null
  rotated.set(request, { secret, ...row })
  return { secret, ...row }
}

/**
 * Whoever presents the secret from before and proves anew who they are, or sends again what replaced it, did not see the answer that brought
 * the next one: this answer brings it.
 */
export async function handOn(
  db: WriteDb,
  { request, actor: { session_id } }: { request: FastifyRequest; actor: Pick<Actor, 'session_id'> }
): Promise<void> {
  const { secret, presented, next } = await nextOf(db, request)
  const row = await db
    .selectFrom('session')
    .select('expires_at')
    .where('id', '=', session_id ?? '')
    .where('replaced_hash', '=', presented)
    .where('id_hash', '=', next)
    .executeTakeFirst()
  if (row) rotated.set(request, { secret, ...row })
}

/** Puts new secrets of sessions into the answers of calls. What failed was undone, and the secret with it. */
export function bringRotated(server: FastifyInstance, app: App) {
  makeSigningKeyEarly(server, app, keyName)
  server.addHook('preSerialization', async (request, reply, payload) => {
    const session = rotated.get(request)
    if (session && reply.statusCode < 400) setSessionCookie({ app, request, reply }, session)
    return payload
  })
}
