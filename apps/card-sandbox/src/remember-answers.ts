import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Entity } from './entity.ts'
import { seconds } from './events.ts'
import type { Parameters } from './parameters.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'

type Kept = Entity & { object: 'idempotency_key'; request: string; status: number; body: string }

/** A call that is sent again with the key of an earlier one is answered as that was, for ever. */
export function rememberAnswers(server: FastifyInstance, store: Store, now: () => Date) {
  const under = new Set<string>()
  const keyOf = (request: FastifyRequest) => {
    const key = request.headers['idempotency-key']
    return request.method === 'POST' && typeof key === 'string' ? `idem_${key}` : null
  }
  const requestOf = (request: FastifyRequest) =>
    createHash('sha256')
      .update(JSON.stringify([request.url, request.body as Parameters]))
      .digest('hex')
  server.addHook('preHandler', async (request, reply) => {
    const id = keyOf(request)
    if (id === null) return
    const kept = store.find<Kept>('idempotency_key', id)
    if (kept && kept.request !== requestOf(request)) {
      const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      throw new Refusal(400, { type: 'idempotency_error', message })
    }
    if (kept)
      return reply.code(kept.status).header('idempotent-replayed', 'true').header('content-type', 'application/json').send(kept.body)
    if (under.has(id)) {
      const message = 'There is currently another in-progress request using this Idempotent Key.'
      throw new Refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message })
    }
    under.add(id)
  })
  server.addHook('onSend', async (request, reply, body) => {
    const id = keyOf(request)
    if (id === null || !under.has(id) || typeof body !== 'string') return
    under.delete(id)
    // What was refused before it began anything may be asked again.
    if (reply.statusCode === 400 || reply.statusCode === 401 || reply.statusCode >= 500) return
    const created = seconds(now())
    store.put<Kept>({ id, object: 'idempotency_key', created, request: requestOf(request), status: reply.statusCode, body })
  })
}
