import { createHash, createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '@masthead/contract/kernel/operation'
import { idempotencyMismatch, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx, WriteDb } from '../app.ts'
import { refuseEnded } from './ended-caller.ts'
import { refuseLessRights, rightsOf } from './kept-answer.ts'
import { hashSecret, presentedSecret } from '../secrets/presented-secret.ts'
import { encrypt, decrypt } from '../secrets/encrypt.ts'
import { getSigningKey } from '../secrets/signing-key.ts'

/** The signing key that requests are hashed with. */
export const repeatsKeyName = 'repeats'

/**
 * Runs a write once per `Idempotency-Key`: a repetition with the same request answers the same without a second effect.
 * The key's row is written in the write's own transaction, so a concurrent repetition waits for it, and a failed write leaves none.
 * It belongs to the person or API key and the account they act on; throws forbidden or not_found when they may less by then.
 * Throws unauthenticated when the session or key that asks was ended meanwhile.
 */
export async function once<T>(tx: Tx, actor: Actor, request: FastifyRequest, op: Operation, run: () => Promise<T>): Promise<T> {
  const given = repeatKey(request)
  const runAsked = async () => {
    const reply = await run()
    await refuseEnded(tx, actor, op)
    return reply
  }
  if (given === undefined) return runAsked()
  if (given.length === 0 || given.length > 200) {
    throw new Problem(invalidRequest, 'An Idempotency-Key has 1 to 200 characters', {
      fields: { 'Idempotency-Key': 'Use 1 to 200 characters' },
    })
  }
  // Before somebody is signed in, a key belongs to the address that it comes from.
  const scope = op.spends
    ? scopeOfSpent(hashSecret(presentedSecret(request, op)))
    : actor.person_id
      ? `${actor.account_id}:${actor.key?.id ?? actor.person_id}`
      : `nobody:${actor.ip}`
  const key = hashKey(given)
  const request_hash = await hashRequest(tx, request, op, given)
  const claimed = await tx
    .insertInto('idempotency_key')
    .values({ scope, key, operation: op.name, request_hash, reply: null, rights: JSON.stringify(rightsOf(actor)), created_at: actor.at })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 0n) {
    const earlier = await tx
      .selectFrom('idempotency_key')
      .select(['request_hash', 'reply', 'rights'])
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    const reply = replyOf<T>(op, given, earlier, request_hash)
    await refuseLessRights(tx, actor, { rights: earlier.rights, reply, sees: request.routeOptions.config.sees! })
    return reply
  }
  const reply = await runAsked()
  await tx
    .updateTable('idempotency_key')
    .set({ reply: JSON.stringify(op.encryptsReply ? encrypt(given, JSON.stringify(reply)) : reply) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute()
  return reply
}

type Earlier = { request_hash: Buffer; reply: unknown }

function replyOf<T>(op: Operation, given: string, { request_hash, reply }: Earlier, asked: Buffer): T {
  if (!request_hash.equals(asked)) throw new Problem(idempotencyMismatch)
  return (op.encryptsReply ? JSON.parse(decrypt(given, reply as string)) : reply) as T
}

/** What was answered since a moment to a call that spends a secret, known by one of the hashes of that secret; undefined: nothing. */
export async function findAnswer(
  db: WriteDb,
  request: FastifyRequest,
  op: Operation,
  { spent, since }: { spent: readonly Buffer[]; since: Date }
): Promise<unknown> {
  const given = repeatKey(request)
  if (given === undefined) return undefined
  const earlier = await db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'reply'])
    .where('scope', 'in', spent.map(scopeOfSpent))
    .where('key', '=', hashKey(given))
    .where('created_at', '>', since)
    .executeTakeFirst()
  return earlier && replyOf(op, given, earlier, await hashRequest(db, request, op, given))
}

/** The `Idempotency-Key` of a request, if it has one. */
export const repeatKey = ({ headers }: FastifyRequest) => headers['idempotency-key'] as string | undefined

/** Only its hash is kept: what an encrypted reply is encrypted with must not lie beside it. */
const hashKey = (given: string) => createHash('sha256').update(given).digest('hex')

const scopeOfSpent = (hash: Buffer) => `spent:${hash.toString('hex')}`

/** The same key with anything else is a mistake of the caller. What is asked may hold passwords: their hash is worth nothing without a key of the installation. */
async function hashRequest(db: WriteDb, { params, query, body }: FastifyRequest, op: Operation, given: string): Promise<Buffer> {
  return createHmac('sha256', await getSigningKey(db, repeatsKeyName))
    .update(JSON.stringify([given, op.name, params, query, body]))
    .digest()
}
