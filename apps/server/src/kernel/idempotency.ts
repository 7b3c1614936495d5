import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '@masthead/contract/kernel/operation'
import { idempotencyMismatch, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from './app.ts'
import { seal, unseal } from './seal.ts'

/** What is hashed of a request: the same key with anything else is a mistake of the caller. */
type Asked = { params: unknown; query: unknown; body: unknown }

/**
 * Runs a write once per `Idempotency-Key`: a repetition with the same request answers the same without a second effect.
 * The key's row is written in the write's own transaction, so a concurrent repetition waits for it, and a failed write leaves none.
 */
export async function once<T>(
  tx: Tx,
  actor: Actor,
  request: FastifyRequest,
  op: Operation,
  asked: Asked,
  run: () => Promise<T>
): Promise<T> {
  const given = request.headers['idempotency-key']
  if (given === undefined) return run()
  if (typeof given !== 'string' || given.length === 0 || given.length > 200) {
    throw new Problem(invalidRequest, 'An Idempotency-Key has 1 to 200 characters', {
      fields: { 'Idempotency-Key': 'Use 1 to 200 characters' },
    })
  }
  // Before anybody is signed in, keys of one address are told apart from those of another.
  const scope = actor.person_id ? `${actor.account_id}:${actor.key?.id ?? actor.email}` : `nobody:${actor.ip}`
  // Only its hash is kept: what a sealed reply is sealed with must not lie beside it.
  const key = createHash('sha256').update(given).digest('hex')
  const request_hash = createHash('sha256')
    .update(JSON.stringify([op.name, asked.params, asked.query, asked.body]))
    .digest()
  const claimed = await tx
    .insertInto('idempotency_key')
    .values({ scope, key, operation: op.name, request_hash, reply: null, created_at: actor.at })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) {
    const earlier = await tx
      .selectFrom('idempotency_key')
      .select(['request_hash', 'reply'])
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (!earlier.request_hash.equals(request_hash)) throw new Problem(idempotencyMismatch)
    return (op.seals ? JSON.parse(unseal(given, earlier.reply as string)) : earlier.reply) as T
  }
  const reply = await run()
  await tx
    .updateTable('idempotency_key')
    .set({ reply: JSON.stringify(op.seals ? seal(given, JSON.stringify(reply)) : reply) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
  return reply
}
